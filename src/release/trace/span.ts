/** An attribute's value. */
type AttributeValue = string | number | boolean;

/** Identifies a span, in hexadecimal digits: 32 for the trace, 16 for the span. */
export type SpanContext = { readonly traceId: string; readonly spanId: string };

/** Something that took time, as OpenTelemetry has it. Times are in ms since 1970. */
export type Span = SpanContext & {
  readonly parentSpanId?: string;
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Why it failed. */
  readonly error?: string;
  /** What it follows from, in another trace. */
  readonly links?: readonly SpanContext[];
};
