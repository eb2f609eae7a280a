import assert from "node:assert/strict";
import { test } from "node:test";
import { readEventSource, type EventSource } from "../api/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import type { Match } from "../evaluate/index.ts";
import { EventSourceWatcher } from "./index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

function configMap(name: string, labels: Readonly<Record<string, string>> = {}, data = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels }, data };
}

function sourceOf(name: string, selector: object = {}): EventSource {
  const spec = { resourceSelectors: [{ ...configMaps, ...selector }] };
  const reading = readEventSource({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventSource", metadata: { name }, spec });
  assert.ok(reading.state === "read");
  return reading.value;
}

const labelled = (value: string) => ({ labelFilters: [{ key: "app", operation: "Equal", value }] });

/** A cluster, what is asked of it by lists and watches of ConfigMaps, and an observer that notes what it is told. */
class Lab {
  readonly clock = new VirtualClock();
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly cluster: Cluster;
  readonly observer: EventSourceWatcher;
  readonly stop = new AbortController();
  forbidden = false;

  constructor() {
    const { exchange } = startEmbeddedCluster({ clock: this.clock });
    const counting: Exchange = async (request) => {
      const { pathname, searchParams } = new URL(request.path, "http://server");
      if (request.method !== "GET" || !pathname.includes("configmaps") || /configmaps\/./.test(pathname)) return exchange(request);
      if (this.forbidden)
        return {
          status: 403,
          headers: {},
          body: [JSON.stringify({ kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "you may not" })],
        };
      if (!searchParams.has("resourceVersionMatch") && searchParams.get("limit") !== "1")
        this.asked.push(
          `${searchParams.has("watch") ? "watch" : "list"} ${pathname.includes("namespaces") ? "default" : "all"} ${searchParams.get("labelSelector") ?? ""}`.trim(),
        );
      return exchange(request);
    };
    this.cluster = connect(counting, { clock: this.clock });
    this.observer = new EventSourceWatcher(this.cluster, { onChange: (name) => this.told.push(name) }, this.stop.signal);
  }

  async put(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.clock.until(this.cluster.apply(object, { manager: "user", force: true }));
    await this.clock.advance(100);
  }

  async follow(sources: readonly EventSource[], last: readonly Match[] = []): Promise<void> {
    this.observer.watch(sources, () => last);
    await this.clock.advance(100);
  }

  matches(name: string): string | undefined {
    return this.observer
      .evaluate(name)
      ?.result.matches.map(({ ref }) => ref.name)
      .join(" ");
  }
}

function lab(t: { after(end: () => void): void }): Lab {
  const made = new Lab();
  t.after(() => made.stop.abort());
  return made;
}

test("of many objects of which one changes, only that one is judged again", async (t) => {
  const { observer, ...rest } = lab(t);
  const { cluster, clock } = rest;
  for (let index = 0; index < 400; index++) await cluster.create(configMap(`c${index}`, {}, { n: `${index}` }));
  observer.watch([sourceOf("ones", { evaluateCEL: [{ name: "r", rule: "resource.data.n.endsWith('1')" }] })], () => []);
  await clock.advance(100);
  assert.equal(observer.evaluate("ones")?.result.matches.length, 40);
  const before = observer.evaluated;
  await clock.until(cluster.apply(configMap("c300", {}, { n: "1" }), { manager: "user", force: true }));
  await clock.advance(100);
  assert.equal(observer.evaluate("ones")?.result.matches.length, 41);
  assert.equal(observer.evaluated - before, 1);
});

test("all that look at a kind share one watch, which is no wider than they need", async (t) => {
  const it = lab(t);
  await it.put(configMap("a", { app: "web" }), configMap("b", { app: "db" }));
  await it.follow([
    sourceOf("web", { ...labelled("web"), namespace: "default" }),
    sourceOf("same", { ...labelled("web"), namespace: "default", name: "a" }),
  ]);
  assert.deepEqual([it.matches("web"), it.matches("same")], ["a", "a"]);
  assert.deepEqual(it.asked, ["list default app in (web)", "watch default app in (web)"]);
  const judged = it.observer.evaluated;
  it.asked.length = 0;
  await it.follow([sourceOf("web", { ...labelled("web"), namespace: "default" }), sourceOf("db", labelled("db"))]);
  assert.deepEqual([it.matches("web"), it.matches("same"), it.matches("db")], ["a", undefined, "b"]);
  assert.deepEqual(it.asked, ["list all", "watch all"]);
  const { length } = (await it.clock.until(it.cluster.list(configMaps))).items;
  assert.equal(it.observer.evaluated - judged, length + length - 1, "web is told of all but the one that it knows");
  await it.put(configMap("b", { app: "web" }));
  assert.deepEqual([it.matches("web"), it.matches("db")], ["a b", ""]);
});

test("what arrives together is told once", async (t) => {
  const it = lab(t);
  await it.put(configMap("a"), configMap("b"), configMap("c"));
  await it.follow([sourceOf("all")]);
  assert.deepEqual(it.told, ["all"]);
});

test("a kind that cannot be read says so, and leaves what matched last", async (t) => {
  const it = lab(t);
  await it.put(configMap("a"));
  it.forbidden = true;
  const last = [{ ref: { ...configMaps, namespace: "default", name: "a" }, message: "" }];
  await it.follow([sourceOf("all")], last);
  const seen = it.observer.evaluate("all");
  assert.equal(seen?.isComplete, false);
  assert.match(seen?.result.failures[0]?.reason ?? "", /v1 ConfigMap: .*you may not/);
  assert.equal(it.matches("all"), "a");
  it.forbidden = false;
  await it.clock.advance(60_000);
  assert.equal(it.observer.evaluate("all")?.isComplete, true);
  assert.deepEqual(it.observer.evaluate("all")?.result.failures, []);
});

test("scripts that take too long leave the others waiting, and nobody else", async (t) => {
  const it = lab(t);
  await it.put(...["a", "b", "c", "d", "e", "f"].map((name) => configMap(name)));
  await it.follow([sourceOf("slow", { evaluate: "function evaluate() while true do end end" }), sourceOf("all", { namespace: "default" })]);
  assert.equal(it.matches("all"), "a b c d e f kube-root-ca.crt");
  const first = it.observer.evaluate("slow");
  assert.ok((first?.pending ?? 0) > 0);
  for (let round = 0; (it.observer.evaluate("slow")?.pending ?? 0) > 0; round++) assert.ok(round < 10);
});

test("a changed definition begins with what matched until then", async (t) => {
  const it = lab(t);
  await it.put(configMap("a", { app: "web" }), configMap("b"));
  await it.follow([sourceOf("web", labelled("web"))]);
  assert.equal(it.matches("web"), "a");
  await it.follow([sourceOf("web", { ...labelled("web"), evaluate: "function evaluate() error('broken') end" })]);
  assert.equal(it.matches("web"), "a");
  await it.follow([]);
  assert.equal(it.matches("web"), undefined);
});
