/** Where traces are sent, and as whose. */
export type OtlpSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The attributes of the resource: `service.name` and those of OTEL_RESOURCE_ATTRIBUTES. */
  readonly resource: Readonly<Record<string, string>>;
  /** The span of the program that started this one: TRACEPARENT. */
  readonly parent?: { readonly traceId: string; readonly spanId: string };
};

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings of the OpenTelemetry specification for exporters, or what is wrong with them. */
export function readOtlpSettings(variables: Variables): OtlpSettings | { readonly problem: string } {
  const read = (name: string) => {
    const [own, shared] = [variables[`OTEL_EXPORTER_OTLP_TRACES_${name}`], variables[`OTEL_EXPORTER_OTLP_${name}`]];
    return own === undefined || own === "" ? (shared ?? "") : own;
  };
  const protocol = read("PROTOCOL");
  if (protocol === "grpc")
    return {
      problem: "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent by HTTP: set it to http/json, with the port for HTTP (4318)",
    };
  const url = endpointOf(variables);
  if (url === undefined) return { problem: `the endpoint for traces is no http(s) URL: ${read("ENDPOINT")}` };
  const timeoutMs = Number(read("TIMEOUT") || 10_000);
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0)
    return { problem: `OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds: ${read("TIMEOUT")}` };
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(variables["TRACEPARENT"] ?? "") ?? [];
  return {
    url,
    headers: pairsIn(read("HEADERS")),
    timeoutMs,
    resource: {
      ...pairsIn(variables["OTEL_RESOURCE_ATTRIBUTES"] ?? ""),
      "service.name": variables["OTEL_SERVICE_NAME"] || pairsIn(variables["OTEL_RESOURCE_ATTRIBUTES"] ?? "")["service.name"] || "sluice",
    },
    ...(traceId === undefined || spanId === undefined ? {} : { parent: { traceId, spanId } }),
  };
}

/** An endpoint for traces is taken as it is; that for all signals is a base. */
function endpointOf(variables: Variables): string | undefined {
  const own = variables["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? "";
  const base = (variables["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "").replace(/\/$/, "");
  const text = own === "" ? `${base}/v1/traces` : own;
  return /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text) ? text : undefined;
}

/** `key=value,other=value`, percent-encoded. */
function pairsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").map((pair) => /^([^=]+)=(.*)$/s.exec(pair.trim()));
  return Object.fromEntries(pairs.flatMap((match) => (match === null ? [] : [[match[1]!.trim(), decoded(match[2]!.trim())]])));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // It has a % that encodes nothing.
  }
}
