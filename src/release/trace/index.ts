/**
 * Traces for OpenTelemetry: spans of what recordings tell, and their export by OTLP over HTTP.
 *
 * It is loaded only where the variables of OpenTelemetry ask for it, and reads none by itself. A trace that cannot be sent is a
 * warning and nothing else.
 */
export { readOtlpSettings } from "./otlp-settings.ts";
export { eventSpan, eventSpanContext } from "./event-span.ts";
export { spansOfRecording } from "./recording-spans.ts";
export { TraceExporter } from "./trace-exporter.ts";
