import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import type { WorkQueueState } from "../../reconcile/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { metricCatalogue, durationBuckets } from "./metric-catalogue.ts";
import { Metrics, Monitor } from "./index.ts";

test("metrics are printed in Prometheus' text format", () => {
  const metrics = new Metrics();
  metrics.count("sluice_failures_total", { controller: "triggers", retried: "true" });
  metrics.count("sluice_failures_total", { controller: "triggers", retried: "true" });
  metrics.count("sluice_failures_total", { controller: 'a "b"\\\n', retried: "false" });
  metrics.register("sluice_leader", () => [{ value: 1 }]);
  assert.equal(
    metrics.text(),
    String.raw`# HELP sluice_failures_total Failures of a controller's work, by controller and whether it is tried again.
# TYPE sluice_failures_total counter
sluice_failures_total{controller="triggers",retried="true"} 2
sluice_failures_total{controller="a \"b\"\\\n",retried="false"} 1
# HELP sluice_leader 1 where this replica leads, 0 where it does not.
# TYPE sluice_leader gauge
sluice_leader 1
`,
  );
});

test("the buckets of a histogram are cumulative", () => {
  const metrics = new Metrics();
  for (const value of [0.001, 0.004, 0.3, 5000]) metrics.observe("sluice_deploy_seconds", value, { cluster: "c1" });
  const lines = metrics.text().split("\n");
  assert.ok(lines.includes("# TYPE sluice_deploy_seconds histogram"));
  assert.ok(lines.includes('sluice_deploy_seconds_bucket{cluster="c1",le="0.005"} 2'));
  assert.ok(lines.includes('sluice_deploy_seconds_bucket{cluster="c1",le="0.25"} 2'));
  assert.ok(lines.includes('sluice_deploy_seconds_bucket{cluster="c1",le="0.5"} 3'));
  assert.ok(lines.includes(`sluice_deploy_seconds_bucket{cluster="c1",le="${durationBuckets.at(-1)}"} 3`));
  assert.ok(lines.includes('sluice_deploy_seconds_bucket{cluster="c1",le="+Inf"} 4'));
  assert.ok(lines.includes('sluice_deploy_seconds_sum{cluster="c1"} 5000.305'));
  assert.ok(lines.includes('sluice_deploy_seconds_count{cluster="c1"} 4'));
});

test("a metric has a limited number of series", () => {
  const metrics = new Metrics();
  for (let index = 0; index < 10_010; index++) metrics.count("sluice_failures_total", { controller: String(index) });
  assert.equal(metrics.text().split("\n").length - 3, 10_000);
});

test("every metric of a controller is in the catalogue and in the documentation", () => {
  const sources = globSync("src/sveltos/{controllers,telemetry,agent}/**/*.ts").filter(
    (name) => !name.endsWith(".test.ts") && !name.endsWith("catalogue.ts"),
  );
  const used = sources.flatMap((name) =>
    [...readFileSync(name, "utf8").matchAll(/\b(sluice_[a-z_]+)\b/g)].map(([, metric = ""]) => metric),
  );
  assert.deepEqual(
    [...new Set(used)].filter((name) => metricCatalogue[name] === undefined),
    [],
  );
  assert.deepEqual(
    Object.keys(metricCatalogue).filter((name) => !used.includes(name)),
    [],
    "unused metrics",
  );
  const documentation = readFileSync("docs/controller.md", "utf8");
  assert.deepEqual(
    Object.keys(metricCatalogue).filter((name) => !documentation.includes(`\`${name}\``)),
    [],
  );
});

const idle: WorkQueueState = {
  depth: 0,
  running: 0,
  delayed: 0,
  oldestMs: 0,
  longestRunMs: 0,
  added: 0,
  worked: 0,
  failed: 0,
  retried: 0,
  lanes: {},
};
const minute = 60_000;
const states: readonly { what: string; state: Partial<WorkQueueState>; live: boolean; bounded?: boolean }[] = [
  { what: "at rest", state: {}, live: true },
  { what: "busy, with much to do", state: { depth: 9000, running: 256, oldestMs: 30 * minute }, live: true },
  { what: "waiting for a deploy that takes a day", state: { running: 1, longestRunMs: 1440 * minute }, live: true },
  { what: "with a new key", state: { depth: 1, oldestMs: 5 }, live: true },
  { what: "with keys and no worker", state: { depth: 1, oldestMs: 2 * minute }, live: false },
  { what: "of the leader, slow", state: { running: 1, longestRunMs: 5 * minute }, live: true, bounded: true },
  { what: "of the leader, stuck in one key", state: { running: 1, longestRunMs: 16 * minute }, live: false, bounded: true },
];

for (const { what, state, live, bounded = false } of states) {
  test(`a queue ${what} is ${live ? "alive" : "stuck"}`, () => {
    const clock = new VirtualClock();
    const monitor = new Monitor({ clock, write: () => {} });
    const hub = connect(startEmbeddedCluster({ clock }).exchange, { clock });
    const telemetry = monitor.telemetryFor(hub, "tester", new AbortController().signal, new Set(bounded ? ["q"] : []));
    telemetry.watchQueue("q", { state: () => ({ ...idle, ...state }) });
    assert.equal(monitor.liveness().well, true, "a process that is not ready is not restarted");
    monitor.readiness = () => ({ well: true });
    assert.equal(monitor.liveness().well, live);
  });
}

test("a failure is a log line and a metric", () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const monitor = new Monitor({ clock, write: (line) => lines.push(line), level: "warn" });
  const report = monitor.failureReporter("profiles");
  report({ key: "ClusterProfile//a", error: new Error("no"), failures: 2, requeueAfterMs: 1500 });
  report({ key: "ClusterProfile//b", error: "never", failures: 1, requeueAfterMs: undefined });
  monitor.log.write("info", "of no interest");
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    logged.map(({ level, key, error, againInSeconds }) => [level, key, error, againInSeconds]),
    [
      ["warn", "ClusterProfile//a", "no", 1.5],
      ["error", "ClusterProfile//b", "never", undefined],
    ],
  );
  assert.match(monitor.metrics.text(), /sluice_failures_total\{controller="profiles",retried="false"\} 1/);
});

test("the first Event of its kind is a log line, unless the log has it already", () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const monitor = new Monitor({ clock, write: (line) => lines.push(line) });
  const hub = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const telemetry = monitor.telemetryFor(hub, "tester", new AbortController().signal, new Set());
  const about = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" } };
  const event = { type: "Warning", reason: "Refused", message: "no" } as const;
  telemetry.recordEvent(about, event);
  telemetry.recordEvent(about, event);
  telemetry.recordEvent(about, { ...event, message: "known" }, { log: false });
  const [line, ...more] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  assert.partialDeepStrictEqual(line, {
    level: "info",
    message: "Event occurred",
    object: "Secret/n/s",
    type: "Warning",
    reason: "Refused",
    note: "no",
  });
  assert.deepEqual(more, []);
});
