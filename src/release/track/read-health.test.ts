import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import type { Gate } from "../order/index.ts";
import { defaultTracking } from "../plan/index.ts";
import { readHealth, type HealthQuery } from "./index.ts";

const { signal } = new AbortController();

/** Applies objects, advances the clock, and returns their health: `ready`, or the state and the reason. */
async function seen(objects: readonly KubeObject[], query: readonly HealthQuery[], passMs = 100): Promise<readonly string[]> {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  for (const object of objects) {
    await clock.until(cluster.apply(object));
    await clock.advance(100);
  }
  await clock.advance(passMs);
  const looked = await clock.until(readHealth(query, cluster, { signal }));
  return looked.map(({ health }) => {
    const text = health.state === "ready" ? health.note : health.because;
    return text === undefined ? health.state : `${health.state}: ${text}`;
  });
}

const asking = (ref: ObjectRef, gate: Gate, more: Partial<HealthQuery> = {}): HealthQuery => ({
  ref,
  gates: [gate],
  tracking: defaultTracking,
  ...more,
});
const configMap: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" }, data: { v: "1" } };
const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };
const crd: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const absent: Gate = { until: "absent" };
const ready: Gate = { until: "ready" };
const wanted = (value: string): Gate => ({ until: "properties", properties: [{ path: "{.data.v}", value }] });

test("each gate is judged by what is there now", async () => {
  const ref = refOf(configMap);
  assert.deepEqual(
    await seen(
      [configMap],
      [
        asking(ref, ready),
        asking({ ...ref, name: "b" }, ready),
        asking({ ...ref, name: "b" }, absent),
        asking(ref, absent),
        asking(ref, absent, { uid: "another" }),
        asking(ref, wanted("1")),
        asking(ref, wanted("2")),
        asking(ref, { until: "rule", rule: "self.data.v == '2'" }),
        asking({ ...ref, group: "", version: "", kind: "cm" }, ready, { resource: "cm" }),
      ],
    ),
    [
      "ready",
      "progressing: it does not exist",
      "ready: it is gone",
      "progressing: it is still there",
      "ready: it is gone",
      "ready",
      "progressing: {.data.v} is 1, not 2",
      "progressing: its rule does not hold yet: self.data.v == '2'",
      "ready",
    ],
  );
});

test("a kind that is not served is a reason to wait, and a place where nothing is left", async () => {
  const because = "the cluster does not serve Widget";
  assert.deepEqual(await seen([], [asking(refOf(widget), ready), asking(refOf(widget), absent)]), [
    `progressing: ${because}`,
    `ready: ${because}`,
  ]);
});

test("an object without a status counts as ready after the grace period, as in a wait", async () => {
  const query = [asking(refOf(widget), ready)];
  assert.match((await seen([crd, widget], query))[0]!, /^progressing: /);
  assert.deepEqual(await seen([crd, widget], query, 31_000), ["ready: no status yet after 30 s; taken as ready"]);
});

test("what KOTS asks of a Service is found in its namespace", async () => {
  const service: KubeObject = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  };
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default", labels: { app: "web" } },
    spec: { containers: [{ name: "c", image: "web" }] },
  };
  const query = [asking(refOf(service), { until: "kots-ready" })];
  assert.match((await seen([service], query, 10_000))[0]!, /^progressing: /);
  assert.deepEqual(await seen([service, pod], query, 30_000), ["ready"]);
});

test("a pod that finds no node has failed after the time that a wait gives it", async () => {
  const metadata = { name: "big", namespace: "default", annotations: { "sim.sluice.dev/unschedulable": "0/1 nodes are available" } };
  const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "a", image: "a" }] } };
  const template = {
    metadata: { annotations: metadata.annotations },
    spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] },
  };
  const job: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "big", namespace: "default" }, spec: { template } };
  for (const object of [pod, job]) {
    const query: readonly HealthQuery[] = [
      asking(refOf(object), ready),
      asking(refOf(object), ready, { tracking: { ...defaultTracking, schedulingTimeoutMs: 10_000 } }),
    ];
    const states = async (passMs: number): Promise<readonly unknown[]> =>
      (await seen([object], query, passMs)).map((text) => text.split(":")[0]);
    assert.deepEqual(await states(6_000), ["progressing", "progressing"], object.kind);
    assert.deepEqual(await states(20_000), ["progressing", "failed"], object.kind);
    assert.deepEqual(await states(125_000), ["failed", "failed"], object.kind);
  }
});
