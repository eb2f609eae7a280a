import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { HttpClientRequest, HttpClientResponse } from "../../http/index.ts";
import type { Recording } from "../recording/index.ts";
import { eventSpan, eventSpanContext, readOtlpSettings, spansOfRecording, TraceExporter } from "./index.ts";

const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: "shop", name: "web" };
const recording: Recording = {
  version: 1,
  subject: { type: "release", name: "shop", namespace: "shop", revision: 3 },
  runs: [
    {
      operation: "upgrade",
      startedAtMs: 1000,
      seenAtMs: 9000,
      status: "failed",
      because: "deployment/web: crashes",
      pods: [],
      steps: [
        { id: "a", verb: "apply", ref, stage: "main", startedAtMs: 1000, endedAtMs: 2000, outcome: "finished", waits: [] },
        {
          id: "b",
          verb: "await",
          ref,
          stage: "main",
          startedAtMs: 2000,
          endedAtMs: 9000,
          outcome: "failed",
          because: "crashes",
          waits: [
            { atMs: 2500, because: "0 of 1 replicas available" },
            { atMs: 4000, because: "crashes" },
          ],
        },
        { id: "c", verb: "apply", ref: { ...ref, name: "late" }, stage: "main", startedAtMs: 9000, outcome: "skipped", waits: [] },
      ],
    },
  ],
};

function ids() {
  let count = 0;
  return (digits: number) => String(++count).padStart(digits, "0");
}

test("a recording has a span for its run, each stage, each step and each reason to wait", () => {
  const spans = spansOfRecording(recording, { newId: ids(), links: [eventSpanContext("uid")] });
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name ?? "none";
  assert.deepEqual(
    spans.map(({ name, parentSpanId, fromMs, toMs, error }) => [name, nameOf(parentSpanId), fromMs, toMs, error]),
    [
      ["upgrade shop", "none", 1000, 9000, "deployment/web: crashes"],
      ["stage main", "upgrade shop", 1000, 9000, undefined],
      ["apply deployment/web", "stage main", 1000, 2000, undefined],
      ["await deployment/web", "stage main", 2000, 9000, "crashes"],
      ["wait for deployment/web", "await deployment/web", 2500, 4000, undefined],
      ["wait for deployment/web", "await deployment/web", 4000, 9000, undefined],
    ],
  );
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  assert.deepEqual(spans[0]!.links, [eventSpanContext("uid")]);
  assert.equal(spans[4]!.attributes["sluice.reason"], "0 of 1 replicas available");
});

test("the span of an event is the one that deployments of its profile link to", () => {
  const span = eventSpan({ uid: "uid", name: "sveltos-1" }, 1, 2, {});
  assert.deepEqual({ traceId: span.traceId, spanId: span.spanId }, eventSpanContext("uid"));
  assert.match(`${span.traceId} ${span.spanId}`, /^[0-9a-f]{32} [0-9a-f]{16}$/);
});

const settings: Readonly<Record<string, { variables: Record<string, string>; gives: object }>> = {
  "the endpoint of all signals is a base": {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" },
    gives: { url: "http://collector:4318/v1/traces", headers: {}, timeoutMs: 10_000, resource: { "service.name": "sluice" } },
  },
  "that of traces is taken as it is, and comes first": {
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://other",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector/in",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1,authorization=Bearer%20x",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "500",
      OTEL_SERVICE_NAME: "deploys",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=prod,service.name=other",
      TRACEPARENT: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    },
    gives: {
      url: "https://collector/in",
      headers: { a: "1", authorization: "Bearer x" },
      timeoutMs: 500,
      resource: { "deployment.environment": "prod", "service.name": "deploys" },
      parent: { traceId: "a".repeat(32), spanId: "b".repeat(16) },
    },
  },
  "gRPC is refused by name": {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    gives: {
      problem: "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent by HTTP: set it to http/json, with the port for HTTP (4318)",
    },
  },
  "no URL": {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
    gives: { problem: "the endpoint for traces is no http(s) URL: collector:4318" },
  },
  "no time-out": {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_EXPORTER_OTLP_TIMEOUT: "soon" },
    gives: { problem: "OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds: soon" },
  },
};

for (const [what, { variables, gives }] of Object.entries(settings)) {
  test(`settings: ${what}`, () => assert.deepEqual(readOtlpSettings(variables), gives));
}

test("spans are sent some at a time after a while; what cannot be sent is one warning", async () => {
  const clock = new VirtualClock();
  const sent: number[] = [];
  const warnings: string[] = [];
  let status = 200;
  const fetch = async ({ body = "" }: HttpClientRequest): Promise<HttpClientResponse> => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
    sent.push(resourceSpans[0]!.scopeSpans[0]!.spans.length);
    return { status, statusText: `${status} Somehow`, headers: {}, body: new Uint8Array() };
  };
  const exporter = new TraceExporter(
    { url: "http://x/v1/traces", headers: {}, timeoutMs: 1000, resource: {} },
    { fetch, clock, version: "1", onWarning: (warning) => void warnings.push(warning) },
  );
  const spans = Array.from({ length: 600 }, () => eventSpan({ uid: "u", name: "n" }, 0, 1, {}));
  exporter.add(spans);
  await clock.advance(4999);
  assert.deepEqual(sent, []);
  await clock.advance(1);
  assert.deepEqual(sent, [512, 88]);
  status = 503;
  for (let count = 0; count < 20; count++) exporter.add(spans);
  await exporter.flush();
  assert.deepEqual(warnings, [
    "3808 spans were left out, as more than 8192 waited to be sent",
    "traces cannot be sent to http://x/v1/traces: it answered 503 Somehow",
  ]);
});
