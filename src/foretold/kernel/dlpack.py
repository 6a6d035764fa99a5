"""GPU arrays that torch, JAX and CuPy can use without a copy, through DLPack."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

ON_CUDA: Final = 2  # kDLCUDA
_KINDS: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
_DEFAULT_STREAMS: Final = (None, 0, 1)  # the legacy default stream, on which everything here runs


class _Tensor(ctypes.Structure):
    """`DLTensor` of dlpack.h, with its device and type spelled out."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    """`DLManagedTensor`."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_lent: Final[dict[int, tuple[object, ...]]] = {}
"""What other libraries still use, by the address of its `_Managed`."""


# These names still exist at interpreter shutdown, when the last arrays are released.
def _give_back(managed: Any, lent: Any = _lent, address: Any = ctypes.addressof) -> None:
    lent.pop(address(managed.contents), None)


_deleter: Final = _Deleter(_give_back)


_new_capsule: Final = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_capsule: Final = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.restype = ctypes.c_int
_is_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_pointer_of: Final = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


def _drop(capsule: int) -> None:
    """Called when a capsule that nobody consumed is destroyed."""
    if _is_capsule(capsule, b"dltensor"):
        _lent.pop(_pointer_of(capsule, b"dltensor"), None)


_destructor: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_drop)


class DeviceArray:
    """An array of numba-cuda, with the methods that other libraries expect.

    ``torch.from_dlpack(array)``, ``jax.dlpack.from_dlpack(array)``, ``cupy.from_dlpack(array)``.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        found: np.dtype[Any] = self.array.dtype
        return found

    def __getitem__(self, index: Any) -> DeviceArray:
        """A slice, without a copy."""
        return DeviceArray(self.array[index])

    def __len__(self) -> int:
        return self.shape[0]

    def copy_to_host(self) -> NDArray[Any]:
        found: NDArray[Any] = self.array.copy_to_host()
        return found

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self.array.__cuda_array_interface__
        return found

    def __dlpack_device__(self) -> tuple[int, int]:
        return ON_CUDA, 0

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> object:
        if stream not in (*_DEFAULT_STREAMS, -1):
            from foretold.kernel.device import cuda

            cuda().default_stream().synchronize()
        shape, dtype = self.shape, self.dtype
        strides = [step // dtype.itemsize for step in self.array.strides]
        numbers = ctypes.c_int64 * len(shape)
        shapes, steps = numbers(*shape), numbers(*strides)
        pointer = self.__cuda_array_interface__["data"][0]
        tensor = _Tensor(
            pointer,
            ON_CUDA,
            0,
            len(shape),
            _KINDS[dtype.kind],
            8 * dtype.itemsize,
            1,
            ctypes.cast(shapes, ctypes.POINTER(ctypes.c_int64)),
            ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64)),
            0,
        )
        managed = _Managed(tensor, None, _deleter)
        address = ctypes.addressof(managed)
        _lent[address] = self.array, managed, shapes, steps
        return _new_capsule(address, b"dltensor", ctypes.cast(_destructor, ctypes.c_void_p))
