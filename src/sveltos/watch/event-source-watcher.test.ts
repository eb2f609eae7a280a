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

/** A watcher of a cluster, with the list and watch requests for ConfigMaps and the calls of onChange. */
class WatcherFixture {
  readonly clock = new VirtualClock();
  readonly requests: string[] = [];
  readonly changed: string[] = [];
  readonly cluster: Cluster;
  readonly watcher: EventSourceWatcher;
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
        this.requests.push(
          `${searchParams.has("watch") ? "watch" : "list"} ${pathname.includes("namespaces") ? "default" : "all"} ${searchParams.get("labelSelector") ?? ""}`.trim(),
        );
      return exchange(request);
    };
    this.cluster = connect(counting, { clock: this.clock });
    this.watcher = new EventSourceWatcher(this.cluster, { onChange: (name) => this.changed.push(name) }, this.stop.signal);
  }

  async put(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.clock.until(this.cluster.apply(object, { manager: "user", force: true }));
    await this.clock.advance(100);
  }

  async watch(sources: readonly EventSource[], last: readonly Match[] = []): Promise<void> {
    this.watcher.watch(sources, () => last);
    await this.clock.advance(100);
  }

  matches(name: string): string | undefined {
    return this.watcher
      .evaluate(name)
      ?.result.matches.map(({ ref }) => ref.name)
      .join(" ");
  }
}

function watcherFixture(t: { after(end: () => void): void }): WatcherFixture {
  const fixture = new WatcherFixture();
  t.after(() => fixture.stop.abort());
  return fixture;
}

test("when one of many objects changes, only that one is evaluated again", async (t) => {
  const { watcher, ...rest } = watcherFixture(t);
  const { cluster, clock } = rest;
  for (let index = 0; index < 400; index++) await cluster.create(configMap(`c${index}`, {}, { n: `${index}` }));
  watcher.watch([sourceOf("ones", { evaluateCEL: [{ name: "r", rule: "resource.data.n.endsWith('1')" }] })], () => []);
  await clock.advance(100);
  assert.equal(watcher.evaluate("ones")?.result.matches.length, 40);
  const before = watcher.evaluated;
  await clock.until(cluster.apply(configMap("c300", {}, { n: "1" }), { manager: "user", force: true }));
  await clock.advance(100);
  assert.equal(watcher.evaluate("ones")?.result.matches.length, 41);
  assert.equal(watcher.evaluated - before, 1);
});

test("EventSources of a kind share one watch with the narrowest scope", async (t) => {
  const fixture = watcherFixture(t);
  await fixture.put(configMap("a", { app: "web" }), configMap("b", { app: "db" }));
  await fixture.watch([
    sourceOf("web", { ...labelled("web"), namespace: "default" }),
    sourceOf("same", { ...labelled("web"), namespace: "default", name: "a" }),
  ]);
  assert.deepEqual([fixture.matches("web"), fixture.matches("same")], ["a", "a"]);
  assert.deepEqual(fixture.requests, ["list default app in (web)", "watch default app in (web)"]);
  const evaluated = fixture.watcher.evaluated;
  fixture.requests.length = 0;
  await fixture.watch([sourceOf("web", { ...labelled("web"), namespace: "default" }), sourceOf("db", labelled("db"))]);
  assert.deepEqual([fixture.matches("web"), fixture.matches("same"), fixture.matches("db")], ["a", undefined, "b"]);
  assert.deepEqual(fixture.requests, ["list all", "watch all"]);
  const { length } = (await fixture.clock.until(fixture.cluster.list(configMaps))).items;
  assert.equal(fixture.watcher.evaluated - evaluated, length + length - 1, "web gets all objects but the one that it has");
  await fixture.put(configMap("b", { app: "web" }));
  assert.deepEqual([fixture.matches("web"), fixture.matches("db")], ["a b", ""]);
});

test("changes that arrive together call onChange once", async (t) => {
  const fixture = watcherFixture(t);
  await fixture.put(configMap("a"), configMap("b"), configMap("c"));
  await fixture.watch([sourceOf("all")]);
  assert.deepEqual(fixture.changed, ["all"]);
});

test("a kind that cannot be read is a failure, and last matches stay", async (t) => {
  const fixture = watcherFixture(t);
  await fixture.put(configMap("a"));
  fixture.forbidden = true;
  const last = [{ ref: { ...configMaps, namespace: "default", name: "a" }, message: "" }];
  await fixture.watch([sourceOf("all")], last);
  const seen = fixture.watcher.evaluate("all");
  assert.equal(seen?.isComplete, false);
  assert.match(seen?.result.failures[0]?.reason ?? "", /v1 ConfigMap: .*you may not/);
  assert.equal(fixture.matches("all"), "a");
  fixture.forbidden = false;
  await fixture.clock.advance(60_000);
  assert.equal(fixture.watcher.evaluate("all")?.isComplete, true);
  assert.deepEqual(fixture.watcher.evaluate("all")?.result.failures, []);
});

test("slow scripts delay objects of their own EventSource only", async (t) => {
  const fixture = watcherFixture(t);
  await fixture.put(...["a", "b", "c", "d", "e", "f"].map((name) => configMap(name)));
  await fixture.watch([
    sourceOf("slow", { evaluate: "function evaluate() while true do end end" }),
    sourceOf("all", { namespace: "default" }),
  ]);
  assert.equal(fixture.matches("all"), "a b c d e f kube-root-ca.crt");
  const first = fixture.watcher.evaluate("slow");
  assert.ok((first?.pending ?? 0) > 0);
  for (let round = 0; (fixture.watcher.evaluate("slow")?.pending ?? 0) > 0; round++) assert.ok(round < 10);
});

test("an EventSource whose spec changes starts with its current matches", async (t) => {
  const fixture = watcherFixture(t);
  await fixture.put(configMap("a", { app: "web" }), configMap("b"));
  await fixture.watch([sourceOf("web", labelled("web"))]);
  assert.equal(fixture.matches("web"), "a");
  await fixture.watch([sourceOf("web", { ...labelled("web"), evaluate: "function evaluate() error('broken') end" })]);
  assert.equal(fixture.matches("web"), "a");
  await fixture.watch([]);
  assert.equal(fixture.matches("web"), undefined);
});
