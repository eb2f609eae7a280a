import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { announcementOfResource } from "./kind-announcement.ts";
import { InformerFactory } from "./informer-factory.ts";
import { waitForServedKind, waitForServedResource } from "./wait-until-served.ts";

const widgets: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const api: KubeObject = {
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: "v1.example.com" },
  spec: { group: "example.com", version: "v1", groupPriorityMinimum: 1, versionPriority: 1, service: { name: "s", namespace: "n" } },
};
const gvk = { group: "example.com", version: "v1", kind: "Widget" };

/** A cluster that counts discovery requests, and may forbid reading CRDs and APIServices. */
function startCluster({ forbids = /^$/, lateMs = 0 }: { forbids?: RegExp; lateMs?: number } = {}) {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const stop = new AbortController();
  const seen = { looks: 0, servedAt: Number.POSITIVE_INFINITY };
  const between: Exchange = async (request) => {
    const path = request.path.split("?")[0]!;
    if (/^\/apis(\/example\.com\/v1)?$/.test(path)) {
      seen.looks++;
      if (clock.now() < seen.servedAt + lateMs && path !== "/apis") return refused(404);
    }
    return forbids.test(path) ? refused(403) : exchange(request);
  };
  const cluster = connect(between, { clock });
  const open = connect(exchange, { clock });
  const bring = (object: KubeObject) => {
    seen.servedAt = clock.now();
    return open.apply(object);
  };
  return { clock, stop, seen, bring, context: { cluster, informers: new InformerFactory(cluster, stop.signal) } };
}

function refused(code: number) {
  const body = {
    apiVersion: "v1",
    kind: "Status",
    status: "Failure",
    code,
    reason: code === 403 ? "Forbidden" : "NotFound",
    message: "no",
  };
  return { status: code, headers: { "content-type": "application/json" }, body: [JSON.stringify(body)] };
}

for (const name of ["widgets", "wd", "widgets.example.com", "Widget.v1.example.com"]) {
  test(`${name} is found as soon as its CRD is established`, async () => {
    const { clock, stop, context, bring } = startCluster();
    const start = clock.now();
    let onNotServed = 0;
    const waiting = waitForServedResource(context, name, () => {
      onNotServed++;
      return stop.signal;
    });
    clock.after(3_600_000, () => void bring(widgets));
    assert.deepEqual((await clock.until(waiting)).kind, gvk);
    assert.ok(clock.now() - start - 3_600_000 < 200, `${clock.now() - start}`);
    assert.equal(onNotServed, 1);
    stop.abort();
  });
}

test("there are no requests without an announcement", async () => {
  const { clock, stop, context, seen, bring } = startCluster();
  const waiting = [waitForServedKind(context, gvk, () => stop.signal), waitForServedResource(context, "widgets", () => stop.signal)];
  await clock.advance(1_000);
  const before = seen.looks;
  await bring({
    ...widgets,
    metadata: { name: "gadgets.other.example" },
    spec: { ...(widgets["spec"] as object), group: "other.example", names: { plural: "gadgets", kind: "Gadget" } },
  });
  await clock.advance(24 * 3_600_000);
  assert.equal(seen.looks, before);
  await bring(widgets);
  await clock.until(Promise.all(waiting));
  stop.abort();
});

test("a kind that is served a little after its announcement is found by retries", async () => {
  const { clock, stop, context, bring } = startCluster({ lateMs: 20_000 });
  const waiting = waitForServedKind(context, gvk, () => stop.signal);
  await clock.advance(1_000);
  await bring(widgets);
  const start = clock.now();
  await clock.until(waiting);
  assert.ok(clock.now() - start >= 20_000 && clock.now() - start < 60_000, `${clock.now() - start}`);
  stop.abort();
});

test("an aggregated API triggers discovery", async () => {
  const { clock, stop, context, seen, bring } = startCluster();
  const waiting = waitForServedKind(context, gvk, () => stop.signal);
  await clock.advance(1_000);
  const before = seen.looks;
  await bring(api);
  await clock.advance(1_000);
  assert.ok(seen.looks > before);
  stop.abort();
  await assert.rejects(waiting);
});

test("without the right to watch CRDs discovery is polled", async () => {
  const { clock, stop, context, bring } = startCluster({ forbids: /customresourcedefinitions/ });
  const waiting = waitForServedResource(context, "widgets", () => stop.signal);
  const start = clock.now();
  clock.after(300_000, () => void bring(widgets));
  await clock.until(waiting);
  assert.ok(clock.now() - start - 300_000 <= 30_000);
  stop.abort();
});

test("a later wait finds what was announced before", async () => {
  const { clock, stop, context, bring } = startCluster();
  const first = waitForServedKind(context, { ...gvk, kind: "Gizmo" }, () => stop.signal);
  await clock.advance(1_000);
  const second = waitForServedKind(context, gvk, () => stop.signal);
  await bring(widgets);
  assert.deepEqual((await clock.until(second)).kind, gvk);
  stop.abort();
  await assert.rejects(first);
});

const announced: readonly (readonly [string, KubeObject, boolean])[] = [
  ["widgets.example.com", widgets, true],
  ["widgets.exam", widgets, true],
  ["widgets.other.org", widgets, false],
  ["gadgets", widgets, false],
  ["widgets", api, true],
  ["widgets.v1.example.com", api, true],
  ["widgets.other.org", api, false],
  ["widgets", { ...api, spec: { group: "example.com", version: "v1" } }, false],
];

for (const [name, object, expected] of announced) {
  test(`${object.kind} ${object.metadata.name} ${expected ? "may bring" : "does not bring"} ${name}`, () =>
    assert.equal(announcementOfResource(name)(object), expected));
}
