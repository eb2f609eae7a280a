import type { Span } from "./span.ts";

/** The request of an export in OTLP's JSON, which every receiver by HTTP takes. Models opentelemetry-proto trace_service.proto */
export function otlpRequest(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
  scope: { readonly name: string; readonly version: string },
): object {
  return {
    resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanJson) }] }],
  };
}

const [internalKind, errorCode] = [1, 2];

function spanJson({ traceId, spanId, parentSpanId, name, fromMs, toMs, attributes, error, links = [] }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: internalKind,
    startTimeUnixNano: nanoseconds(fromMs),
    endTimeUnixNano: nanoseconds(Math.max(fromMs, toMs)),
    attributes: attributesOf(attributes),
    ...(links.length === 0 ? {} : { links }),
    ...(error === undefined ? {} : { status: { code: errorCode, message: error } }),
  };
}

function attributesOf(attributes: Span["attributes"]): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }));
}

function valueJson(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}
