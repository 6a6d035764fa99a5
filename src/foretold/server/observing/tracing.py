"""OpenTelemetry traces, enabled by its standard environment variables.

Without them nothing is traced, and OpenTelemetry is not even imported.
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


def is_on() -> bool:
    """For what is done so often that even a span which does nothing would cost too much."""
    return _tracer is not None


def span(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """A span from here to the end of the block."""
    if _tracer is None:
        return _OFF
    return _tracer.start_as_current_span(name, attributes=attributes)


def describe(current: Any, name: str, **attributes: str | int) -> None:
    """Name a span and add attributes, once they are known."""
    if current is not None:
        current.update_name(name)
        current.set_attributes(attributes)


def set_up(environment: Mapping[str, str] = os.environ) -> None:
    """Start tracing, if the environment asks for it; raises a one-line `ServerError`."""
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
    """Start tracing; spans go to the processor."""
    global _provider, _tracer
    from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider

    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override this.
    resource = Resource({SERVICE_NAME: SERVICE}).merge(OTELResourceDetector().detect())
    _provider = TracerProvider(resource=resource)
    _provider.add_span_processor(processor)
    _tracer = _provider.get_tracer(SERVICE)


def end() -> None:
    """Stop tracing; pending spans are sent."""
    global _provider, _tracer
    if _provider is not None:
        _provider.shutdown()
    _provider = _tracer = None
