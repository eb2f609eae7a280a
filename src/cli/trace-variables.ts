type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the variables ask for traces. It is asked at every start, so it looks and does no more. */
export function wantsTraces(variables: Variables): boolean {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = "", OTEL_EXPORTER_OTLP_ENDPOINT = "" } = variables;
  const isOff = variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || variables["OTEL_TRACES_EXPORTER"] === "none";
  return !isOff && `${OTEL_EXPORTER_OTLP_TRACES_ENDPOINT}${OTEL_EXPORTER_OTLP_ENDPOINT}` !== "";
}
