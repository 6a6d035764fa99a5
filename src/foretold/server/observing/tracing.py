"""Traces by OpenTelemetry, for whoever asks for them by its standard variables.

Without those nothing is traced, and nothing of OpenTelemetry is imported here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from foretold.errors import ServerError
from foretold.extras import need
from foretold.words import shown

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Tracer

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE: Final = "foretold"

_OFF: Final = nullcontext()

_provider: TracerProvider | None = None
_tracer: Tracer | None = None


def span(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """Something that takes time, from here to the end of the block."""
    if _tracer is None:
        return _OFF
    return _tracer.start_as_current_span(name, attributes=attributes)


def describe(current: Any, name: str, **attributes: str | int) -> None:
    """Say more of a span, once it is known."""
    if current is not None:
        current.update_name(name)
        current.set_attributes(attributes)


def set_up(environment: Mapping[str, str] = os.environ) -> None:
    """Trace from now on, if the environment asks for it; raises `ServerError` in one line."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return
    usual = "otlp" if any(environment.get(name) for name in ENDPOINTS) else "none"
    exporter = environment.get("OTEL_TRACES_EXPORTER") or usual
    if exporter == "none":
        return
    need("otel", "unset OTEL_TRACES_EXPORTER")
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    if exporter == "console":
        begin(BatchSpanProcessor(ConsoleSpanExporter()))
    elif exporter == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        begin(BatchSpanProcessor(OTLPSpanExporter()))
    else:
        raise ServerError(
            f"OTEL_TRACES_EXPORTER is {shown(exporter)}: there are otlp, console and none"
        )


def begin(processor: SpanProcessor) -> None:
    """Trace from now on; spans go to the processor."""
    global _provider, _tracer
    from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider

    # What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say goes before this.
    resource = Resource({SERVICE_NAME: SERVICE}).merge(OTELResourceDetector().detect())
    _provider = TracerProvider(resource=resource)
    _provider.add_span_processor(processor)
    _tracer = _provider.get_tracer(SERVICE)


def end() -> None:
    """Trace no more; what is waiting is sent."""
    global _provider, _tracer
    if _provider is not None:
        _provider.shutdown()
    _provider = _tracer = None
