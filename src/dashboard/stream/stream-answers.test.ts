import assert from "node:assert/strict";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { test } from "node:test";
import { DashboardFixture, readEverything, type StreamUnderTest } from "../../../test/support/dashboard/dashboard-fixture.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { ConnectionFault } from "../../kube/index.ts";

const view = "/c/prod";

/** A record as Helm keeps it. */
function record(name: string, { namespace = "shop", revision = 1, status = "deployed" } = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      namespace,
      labels: { owner: "helm", name, status, version: String(revision) },
    },
    type: "helm.sh/release.v1",
    data: { release: "" },
  };
}

async function opened(options: ConstructorParameters<typeof DashboardFixture>[0] = {}) {
  const at = new DashboardFixture(options);
  const token = await at.account("jane", "shop", [readEverything], { everywhere: true });
  const cookie = await at.signIn(token);
  const put = async (...objects: readonly KubeObject[]) => {
    for (const object of objects) await at.clock.until(at.admin.apply(object, { force: true }));
    await at.clock.advance(500);
  };
  return { at, token, cookie, put };
}

const releasesIn = (stream: StreamUnderTest) => [...stream.items(view).keys()].filter((key) => key.startsWith("release/"));
const keys = (names: readonly string[]) => names.map((name) => `release/shop/${name}`);

test("a stream begins with all items of its views, and goes on with every change", async () => {
  const { at, cookie, put } = await opened();
  await put(record("a"));
  const stream = await at.stream(cookie, [view, "/c/prod/fleet"]);
  await at.clock.advance(1500);
  assert.deepEqual(releasesIn(stream), keys(["a"]));
  await put(record("b"), record("a", { revision: 2 }));
  await at.clock.until(at.admin.delete({ group: "", version: "v1", kind: "Secret", namespace: "shop", name: "sh.helm.release.v1.b.v1" }));
  await at.clock.advance(500);
  assert.deepEqual(releasesIn(stream), keys(["a"]));
  assert.ok(stream.messages.some((message) => message.view === "/c/prod/fleet" && message.type === "reset"));
  stream.leave();
});

test("who comes back within a while gets what was missed, and who stays away for longer gets everything", async () => {
  const { at, cookie, put } = await opened();
  await put(record("a"));
  const first = await at.stream(cookie, [view]);
  await at.clock.advance(1500);
  first.leave();
  await put(record("b"));
  const second = await at.stream(cookie, [view], { "last-event-id": first.lastId });
  await at.clock.advance(1500);
  assert.deepEqual(
    second.messages.map(({ type }) => type),
    ["change", "notices"],
  );
  assert.deepEqual(releasesIn(second), keys(["b"]));
  second.leave();
  await at.clock.advance(20_000);
  const third = await at.stream(cookie, [view], { "last-event-id": second.lastId });
  await at.clock.advance(1500);
  assert.deepEqual(releasesIn(third), keys(["a", "b"]));
  third.leave();
  for (const id of ["", "nonsense", "a.1,b.2,c.3", `${"x".repeat(50)}.1`, second.lastId.replace(/\d+$/, "999999")]) {
    const stream = await at.stream(cookie, [view], { "last-event-id": id });
    await at.clock.advance(1500);
    assert.deepEqual(releasesIn(stream), keys(["a", "b"]), id);
    stream.leave();
  }
});

test("many items come in pieces, as the first ones and as a change", async () => {
  const { at, cookie, put } = await opened();
  const first = await at.stream(cookie, [view]);
  await at.clock.advance(1500);
  const names = Array.from({ length: 1203 }, (_, index) => `app-${index}`);
  for (const name of names) await at.admin.apply(record(name), { force: true });
  await put();
  assert.equal(releasesIn(first).length, 1203);
  assert.ok(first.messages.every((message) => !("set" in message) || (message.set ?? []).length <= 500));
  const second = await at.stream(cookie, [view]);
  await at.clock.advance(1500);
  const resets = second.messages.flatMap((message) => (message.type === "reset" ? [[message.items.length === 500, message.more]] : []));
  assert.deepEqual(resets, [
    [true, true],
    [true, true],
    [false, undefined],
  ]);
  assert.equal(releasesIn(second).length, 1203);
  for (const stream of [first, second]) stream.leave();
});

test("a reader who takes nothing costs nothing but its place, and gets the latest in the end", async () => {
  const { at, cookie, put } = await opened();
  const stop = new AbortController();
  const request = at.request("GET", `/api/stream?view=${encodeURIComponent(view)}`, { cookie, signal: stop.signal });
  const { body } = await at.dashboard.handler(request);
  assert.ok(!Array.isArray(body));
  const reader = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
  assert.match((await reader.next()).value, /^retry: \d+\n\n$/);
  const next = reader.next();
  await at.clock.advance(1500);
  await next;
  // Nobody reads while more happens than is kept.
  for (let revision = 1; revision <= 1100; revision++) {
    await at.clock.until(at.admin.apply(record("a", { revision }), { force: true }));
    await at.clock.advance(60);
  }
  const texts: string[] = [];
  for (let count = 0; count < 2; count++) texts.push((await reader.next()).value as string);
  assert.equal(texts.filter((text) => text.includes('"type":"reset"')).length, 1);
  assert.match(texts.join(""), /"revision":1100/);
  stop.abort();
  await put(record("b"));
});

test("an idle stream says now and then that it is there", async () => {
  const { at, cookie } = await opened();
  const stream = await at.stream(cookie, [view]);
  await at.clock.advance(65_000);
  assert.equal(stream.text.split(": still here\n\n").length - 1, 3);
  stream.leave();
});

test("a compressed stream can be read as it comes, and is one gzip in the end", async () => {
  const { at, cookie, put } = await opened({ compress: true });
  await put(...Array.from({ length: 40 }, (_, index) => record(`app-${index}`)));
  const stream = await at.stream(cookie, [view], { "accept-encoding": "gzip, br" });
  assert.equal(stream.answer.headers["content-encoding"], "gzip");
  await at.clock.advance(1500);
  const soFar = () => gunzipSync(Buffer.concat(stream.chunks), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  await realTimeUntil(() => soFar().includes("app-39"));
  await put(record("late"));
  await realTimeUntil(() => soFar().includes("release/shop/late"));
  await at.send("DELETE", "/api/session", { cookie });
  await realTimeUntil(() => stream.hasEnded);
  const text = gunzipSync(Buffer.concat(stream.chunks)).toString();
  assert.match(text, /event: ended\ndata: \{"because":"You have signed out\."\}\n\n$/);
  assert.ok(Buffer.concat(stream.chunks).length < text.length / 3);
});

/** Compression is done by threads, which know no virtual time. */
async function realTimeUntil(holds: () => boolean): Promise<void> {
  for (let waits = 0; !holds(); waits++) {
    assert.ok(waits < 500);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("a session and all of them have a limit of streams, which says so; who leaves makes room", async () => {
  const { at, token, cookie } = await opened({ perSession: 3, inAll: 5 });
  const mine = [await at.stream(cookie, [view]), await at.stream(cookie, [view]), await at.stream(cookie, [view])];
  const refused = await at.send("GET", `/api/stream?view=${encodeURIComponent(view)}`, { cookie });
  assert.equal(refused.status, 429);
  assert.match(refused.message, /has 3 pages open/);
  const other = await at.signIn(token);
  const others = [await at.stream(other, [view]), await at.stream(other, [view])];
  const full = await at.send("GET", `/api/stream?view=${encodeURIComponent(view)}`, { cookie: other });
  assert.equal(full.status, 503);
  assert.match(full.message, /5 pages of all visitors/);
  mine[0]?.leave();
  await at.clock.advance(10);
  const again = await at.stream(cookie, [view]);
  assert.equal(again.answer.status, 200);
  for (const stream of [...mine, ...others, again]) stream.leave();
  await at.clock.advance(10);
  assert.equal(at.dashboard.streams(), 0);
});

test("tabs of a visitor share one view, visitors share none, and a view is dropped when nobody looks", async () => {
  const { at, token, cookie } = await opened();
  const lists = () => at.asked.filter(({ path }) => path.includes("/secrets") && path.includes("limit=500")).length;
  const tabs = [await at.stream(cookie, [view]), await at.stream(cookie, [view])];
  await at.clock.advance(1500);
  assert.equal(lists(), 1);
  const other = await at.stream(await at.signIn(token), [view]);
  await at.clock.advance(1500);
  assert.equal(lists(), 2);
  for (const stream of [...tabs, other]) stream.leave();
  await at.clock.advance(20_000);
  const before = at.asked.length;
  await at.clock.advance(3_600_000 / 2);
  assert.equal(at.asked.length, before);
});

test("another visitor's stream cannot be read: neither by its id nor without its cookie", async () => {
  const { at, cookie, put } = await opened();
  await put(record("a"));
  const mine = await at.stream(cookie, [view]);
  await at.clock.advance(1500);
  const poor = await at.signIn(await at.account("poor", "other", []));
  const theirs = await at.stream(poor, [view], { "last-event-id": mine.lastId.replace(/\d+$/, "0") });
  await at.clock.advance(1500);
  assert.equal(theirs.items(view).size, 0);
  assert.match(theirs.notices(view).join(), /forbidden|may not/);
  assert.equal((await at.stream(cookie.replace(/.$/, ""), [view])).answer.status, 401);
  assert.equal((await at.stream("", [view])).answer.status, 401);
  for (const stream of [mine, theirs]) stream.leave();
});

test("who may not list all namespaces sees those that were named", async () => {
  const { at, put } = await opened();
  const token = await at.account("tenant", "red", [readEverything]);
  await at.account("tenant", "blue", []);
  await put(record("mine", { namespace: "red" }), record("theirs", { namespace: "blue" }));
  const stream = await at.stream(await at.signIn(token, ["red"]), [view]);
  await at.clock.advance(1500);
  assert.deepEqual(releasesIn(stream), ["release/red/mine"]);
  await put(record("more", { namespace: "red" }), record("others", { namespace: "blue" }));
  assert.deepEqual(releasesIn(stream), ["release/red/mine", "release/red/more"]);
  stream.leave();
  const both = await at.stream(await at.signIn(token, ["red", "blue"]), [view]);
  await at.clock.advance(1500);
  assert.deepEqual(releasesIn(both), ["release/red/mine", "release/red/more"]);
  assert.match(both.notices(view).join(), /blue/);
  both.leave();
});

test("what may no longer be read vanishes within a minute, with a notice, and is back with the right to it", async () => {
  const { at, cookie, put } = await opened();
  await put(record("a"));
  const stream = await at.stream(cookie, [view]);
  await at.clock.advance(1500);
  assert.deepEqual(releasesIn(stream), keys(["a"]));
  const binding = { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRoleBinding", namespace: "", name: "jane" };
  const kept = await at.clock.until(at.admin.get(binding));
  await at.clock.until(at.admin.delete(binding));
  await at.clock.advance(61_000);
  assert.deepEqual(releasesIn(stream), []);
  assert.match(stream.notices(view).join(), /forbidden|may not/);
  await put({ ...kept, metadata: { name: "jane" } });
  await at.clock.advance(31_000);
  assert.deepEqual(releasesIn(stream), keys(["a"]));
  assert.deepEqual(stream.notices(view), []);
  stream.leave();
});

test("a cluster that goes away is said to be away, and caught up with when it is back", async () => {
  const { at, cookie, put } = await opened();
  await put(record("a"));
  const stream = await at.stream(cookie, [view, "/c/prod/fleet"]);
  await at.clock.advance(1500);
  // Watches end by themselves after a while, and then nothing answers.
  at.reach = () => Promise.reject(new ConnectionFault("connect to https://10.0.0.1:6443: refused"));
  await at.clock.advance(700_000);
  const away = (path: string) => stream.notices(path).filter((text) => text.includes("refused"));
  for (const path of [view, "/c/prod/fleet"]) {
    assert.match(away(path).join(), /^The cluster prod does not answer.*refused/);
    assert.equal(away(path).length, 1, "one notice for one outage");
  }
  assert.deepEqual(releasesIn(stream), keys(["a"]));
  await put(record("b"));
  at.reach = (request, real) => real(request);
  await at.clock.advance(45_000);
  assert.deepEqual(releasesIn(stream), keys(["a", "b"]));
  for (const path of [view, "/c/prod/fleet"]) assert.doesNotMatch(stream.notices(path).join(), /does not answer/);
  stream.leave();
});

const hostile = `</script><img src=x onerror=alert(1)>\u001b[2J\n\ndata: {"type":"reset"}\n\nevent: ended\r\nid: 9\u2028`;

test("what objects say of themselves can neither break a stream nor add to it", async () => {
  const { at, cookie, put } = await opened();
  const failed = record("a", { status: "failed" });
  const content = { name: "a", version: 1, namespace: "shop", info: { status: "failed", description: hostile }, manifest: "", chart: {} };
  const packed = Buffer.from(gzipSync(JSON.stringify(content)).toString("base64")).toString("base64");
  const stream = await at.stream(cookie, [view]);
  await put({ ...failed, data: { release: packed } });
  await at.clock.advance(1500);
  assert.equal((stream.items(view).get("release/shop/a") as { because?: string }).because, hostile);
  assert.ok(!stream.hasEnded);
  assert.ok(stream.text.split("\n").every((line) => /^(|retry: \d+|id: \S+|data: \{[^\r]*\}|: still here)$/.test(line)));
  stream.leave();
});
