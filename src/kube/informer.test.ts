import assert from "node:assert/strict";
import type { ServerHttp2Stream } from "node:http2";
import { test } from "node:test";
import { RealClock } from "../core/clock/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { authority, reply, serveHttp2 } from "../../test/support/loopback.ts";
import { answer, clock, clusterAt, serveScript, read, send, until, type ScriptedResponse } from "../../test/support/scripted-server.ts";
import {
  watchEventLine,
  widgetList,
  widgetObject,
  widgetResourceList,
  changeText,
  failureStatus,
  widgetKind,
} from "../../test/support/widgets.ts";
import { connect, newInformer, openTransport } from "./index.ts";

const half = watchEventLine("MODIFIED", "é@1#12");
const bytes = Buffer.from(half);
const split = bytes.indexOf(0xc3) + 1; // inside the é

const cases: { name: string; script: ScriptedResponse[]; emitted: string; asked: string }[] = [
  {
    name: "lists, then watches from there",
    script: [
      answer(200, widgetList("10", "a@1#5 b@2#6")),
      send([watchEventLine("MODIFIED", "a@1#11"), watchEventLine("DELETED", "b@2#12"), watchEventLine("ADDED", "c@3#13")]),
    ],
    emitted: "added a@1#5, added b@2#6, synced, modified a@1#11, deleted b@2#12, added c@3#13",
    asked: "list, watch 10",
  },
  {
    name: "events may be cut inside a line and inside a character",
    script: [
      answer(200, widgetList("10", "é@1#5")),
      send([bytes.subarray(0, split), bytes.subarray(split, split + 3), bytes.subarray(split + 3)]),
    ],
    emitted: "added é@1#5, synced, modified é@1#12",
    asked: "list, watch 10",
  },
  {
    name: "resumes after the last event or bookmark when the stream breaks, without telling anything twice",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([watchEventLine("MODIFIED", "a@1#11"), watchEventLine("BOOKMARK", "x@-#20")], "reset"),
      answer(200, widgetList("21", "a@1#11")),
      answer(200, widgetList("20", "a@1#11")),
      send([watchEventLine("ADDED", "b@2#22")]),
    ],
    emitted: "added a@1#5, synced, modified a@1#11, interrupted, added b@2#22",
    asked: "list, watch 10, probe, list at 20, watch 20",
  },
  {
    name: "an event that breaks off in the middle is not emitted, and comes again",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([watchEventLine("MODIFIED", "a@1#11"), watchEventLine("ADDED", "b@2#12").slice(0, 30)], "end"),
      answer(200, widgetList("12", "a@1#11 b@2#12")),
      answer(200, widgetList("11", "a@1#11")),
      send([watchEventLine("ADDED", "b@2#12")]),
    ],
    emitted: "added a@1#5, synced, modified a@1#11, interrupted, added b@2#12",
    asked: "list, watch 10, probe, list at 11, watch 11",
  },
  {
    name: "410 in the stream: lists again and tells the difference only",
    script: [
      answer(200, widgetList("10", "a@1#5 b@2#6 c@3#7")),
      send([`${JSON.stringify({ type: "ERROR", object: failureStatus(410, "Expired") })}\n`], "end"),
      answer(200, widgetList("50", "a@1#5 b@2#40 c@9#41 d@4#42")),
      send([watchEventLine("ADDED", "e@5#51")]),
    ],
    emitted: "added a@1#5, added b@2#6, added c@3#7, synced, modified b@2#40, deleted c@3#7, added c@9#41, added d@4#42, added e@5#51",
    asked: "list, watch 10, list, watch 50",
  },
  {
    name: "410 as the answer to a watch",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      answer(410, failureStatus(410, "Gone")),
      answer(200, widgetList("30", "")),
      send([watchEventLine("ADDED", "b@2#31")]),
    ],
    emitted: "added a@1#5, synced, deleted a@1#5, added b@2#31",
    asked: "list, watch 10, list, watch 30",
  },
  {
    name: "500s on lists and watches are outlived",
    script: [
      answer(500, failureStatus(500, "InternalError")),
      answer(200, widgetList("10", "a@1#5")),
      answer(500, "not even a Status"),
      answer(200, widgetList("10", "a@1#5")),
      answer(200, widgetList("10", "a@1#5")),
      send([watchEventLine("DELETED", "a@1#11")]),
    ],
    emitted: "interrupted, added a@1#5, synced, interrupted, deleted a@1#11",
    asked: "list, list, watch 10, probe, list at 10, watch 10",
  },
  {
    name: "a server whose history is older is noticed at once, and listed",
    script: [
      answer(200, widgetList("1000", "a@1#900 b@2#800")),
      send([watchEventLine("MODIFIED", "a@1#1001")], "end"),
      answer(200, widgetList("7", "a@1#5")),
      answer(200, widgetList("7", "a@1#5")),
      send([watchEventLine("ADDED", "c@3#8")]),
    ],
    emitted: "added a@1#900, added b@2#800, synced, modified a@1#1001, deleted b@2#800, modified a@1#5, added c@3#8",
    asked: "list, watch 1000, probe, list, watch 7",
  },
  {
    name: "a server with another history, further on, is noticed by its objects",
    script: [
      answer(200, widgetList("10", "a@1#5 b@2#6")),
      send([watchEventLine("MODIFIED", "b@2#11")], "end"),
      answer(200, widgetList("99", "a@1#5")),
      answer(200, widgetList("11", "a@1#5 b@7#4")),
      send([watchEventLine("MODIFIED", "b@7#100")]),
    ],
    emitted: "added a@1#5, added b@2#6, synced, modified b@2#11, deleted b@2#11, added b@7#4, modified b@7#100",
    asked: "list, watch 10, probe, list at 11, watch 11",
  },
  {
    name: "the same version with another content is another history",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([], "end"),
      answer(200, widgetList("12", "a@1#5")),
      answer(200, { ...widgetList("10", ""), items: [{ ...widgetObject("a@1#5"), spec: "restored" }] }),
      send([watchEventLine("ADDED", "b@2#13")]),
    ],
    emitted: "added a@1#5, synced, modified a@1#5, added b@2#13",
    asked: "list, watch 10, probe, list at 10, watch 10",
  },
  {
    name: "a server that has forgotten the moment is listed as it is now",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([], "end"),
      answer(200, widgetList("99", "a@1#5")),
      answer(410, failureStatus(410, "Expired")),
      answer(200, widgetList("99", "a@1#50")),
      send([watchEventLine("DELETED", "a@1#100")]),
    ],
    emitted: "added a@1#5, synced, modified a@1#50, deleted a@1#100",
    asked: "list, watch 10, probe, list at 10, list, watch 99",
  },
  {
    name: "a server that knows no exact moments is believed as of now",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([], "end"),
      answer(200, widgetList("99", "a@1#50")),
      answer(200, widgetList("99", "a@1#50")),
      send([watchEventLine("DELETED", "a@1#100")]),
    ],
    emitted: "added a@1#5, synced, modified a@1#50, deleted a@1#100",
    asked: "list, watch 10, probe, list at 10, watch 99",
  },
  {
    name: "garbage in a list or a stream is never taken for objects",
    script: [
      answer(200, { kind: "WidgetList", metadata: { resourceVersion: "1" }, items: [null] }),
      answer(200, { kind: "WidgetList", metadata: { resourceVersion: "1" }, items: [{ spec: {} }] }),
      answer(200, "<html>captive portal</html>"),
      answer(200, widgetList("10", "a@1#5")),
      send(['{"type":"ADDED","object":{}}\n'], "hold"),
      answer(200, widgetList("10", "a@1#5")),
      answer(200, widgetList("10", "a@1#5")),
      send([watchEventLine("DELETED", "a@1#11")]),
    ],
    emitted: "interrupted, interrupted, interrupted, added a@1#5, synced, interrupted, deleted a@1#11",
    asked: "list, list, list, list, watch 10, probe, list at 10, watch 10",
  },
  {
    name: "a watch that begins again with what is known tells nothing of it",
    script: [
      answer(200, widgetList("10", "a@1#5")),
      send([
        watchEventLine("ADDED", "a@1#10"),
        watchEventLine("ADDED", "a@1#10"),
        watchEventLine("DELETED", "zzz@9#11"),
        watchEventLine("ADDED", "b@2#12"),
      ]),
    ],
    emitted: "added a@1#5, synced, modified a@1#10, added b@2#12",
    asked: "list, watch 10",
  },
];

for (const { name, script, emitted, asked } of cases) {
  test(name, { timeout: 5000 }, async (t) => {
    const server = await serveScript(t, script);
    const last = emitted.split(", ").at(-1) ?? "";
    assert.equal((await read(newInformer(clusterAt(t, server), widgetKind), last)).join(", "), emitted);
    assert.equal(server.asked.join(", "), asked);
  });
}

test("with resumptions, synced follows an interruption once a watch has begun", { timeout: 5000 }, async (t) => {
  const server = await serveScript(t, [
    answer(200, widgetList("10", "a@1#5")),
    answer(403, failureStatus(403, "Forbidden")),
    answer(200, widgetList("10", "a@1#5")),
    answer(200, widgetList("10", "a@1#5")),
    answer(500, failureStatus(500, "InternalError")),
    answer(200, widgetList("10", "a@1#5")),
    answer(200, widgetList("10", "a@1#5")),
    send([watchEventLine("DELETED", "a@1#11")]),
  ]);
  const emitted = await read(newInformer(clusterAt(t, server), widgetKind, { resumptions: true }), "deleted a@1#11");
  assert.equal(emitted.join(", "), "added a@1#5, synced, interrupted, interrupted, synced, deleted a@1#11");
  assert.equal(server.asked.join(", "), "list, watch 10, probe, list at 10, watch 10, probe, list at 10, watch 10");
});

test("a server that goes away and comes back", { timeout: 20_000 }, async (t) => {
  const first = await serveScript(t, [answer(200, widgetList("10", "a@1#5")), send([watchEventLine("MODIFIED", "a@1#11")])]);
  const informer = newInformer(clusterAt(t, first), widgetKind);
  t.after(() => informer.close());
  await informer.waitForSync();
  const reader = informer[Symbol.asyncIterator]();
  const emitted: string[] = [];
  const next = async () => emitted.push(changeText((await reader.next()).value));
  while (emitted.at(-1) !== "modified a@1#11") await next();
  await first.close();
  while (emitted.at(-1) !== "interrupted") await next();
  await serveScript(
    t,
    [answer(200, widgetList("3", "a@2#2")), answer(200, widgetList("3", "a@2#2")), send([watchEventLine("ADDED", "b@3#4")])],
    first.port,
  );
  while (emitted.at(-1) !== "added b@3#4") await next();
  const kept = emitted.filter((line) => line !== "interrupted");
  assert.equal(kept.slice(-4).join(", "), "modified a@1#11, deleted a@1#11, added a@2#2, added b@3#4");
});

test("readers share one watch, and a later one first gets the existing objects", { timeout: 20_000 }, async (t) => {
  let stream: ServerHttp2Stream | undefined;
  const hold: ScriptedResponse = (held) => {
    stream = held;
    held.respond({ ":status": 200 });
  };
  const server = await serveScript(t, [answer(200, widgetList("10", "a@1#5")), hold]);
  const informer = newInformer(clusterAt(t, server), widgetKind);
  const early = read(informer, "added c@3#12");
  const store = await informer.waitForSync();
  const held = await until(() => stream);
  held.write(watchEventLine("ADDED", "b@2#11"));
  await until(() => store.find("default", "b"));
  const late = read(informer, "added c@3#12");
  held.write(watchEventLine("ADDED", "c@3#12"));
  assert.equal((await early).join(", "), "added a@1#5, synced, added b@2#11, added c@3#12");
  assert.equal((await late).join(", "), "added a@1#5, added b@2#11, synced, added c@3#12");
  assert.deepEqual(
    [...informer.lister.all()].map(({ metadata }) => metadata.name),
    ["a", "b", "c"],
  );
  assert.equal(server.asked.join(", "), "list, watch 10");
  informer.close();
});

test("a server that calls every moment gone is given more and more time", { timeout: 5000 }, async (t) => {
  const began = clock.now();
  const script = Array.from({ length: 8 }, () => [answer(200, widgetList("10", "a@1#5")), answer(410, failureStatus(410, "Gone"))]).flat();
  const server = await serveScript(t, [...script, answer(200, widgetList("10", "a@1#5")), send([watchEventLine("DELETED", "a@1#11")])]);
  const emitted = await read(newInformer(clusterAt(t, server), widgetKind), "deleted a@1#11");
  assert.deepEqual(emitted, ["added a@1#5", "synced", "deleted a@1#11"]);
  assert.ok(clock.now() - began > 10_000, `only ${clock.now() - began} ms passed between 8 refusals`);
});

test("closing an informer rejects a pending waitForSync, and it can be started again", { timeout: 5000 }, async (t) => {
  const server = await serveScript(t, [() => undefined, answer(200, widgetList("10", "a@1#5")), send([])]);
  const informer = newInformer(clusterAt(t, server), widgetKind);
  const closed = assert.rejects(informer.waitForSync(), { message: "the informer was closed" });
  await until(() => server.asked[0]);
  informer.close();
  await closed;
  assert.equal((await informer.waitForSync()).size, 1);
  informer.close();
  const stop = new AbortController();
  const aborted = assert.rejects(newInformer(clusterAt(t, server), widgetKind, { signal: stop.signal }).waitForSync(), {
    message: "enough",
  });
  stop.abort(new Error("enough"));
  await aborted;
});

function reduce({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata, reduced: true };
}

test("every object is transformed, those that are deleted too", { timeout: 5000 }, async (t) => {
  const server = await serveScript(t, [answer(200, widgetList("10", "a@1#5")), send([watchEventLine("DELETED", "a@1#11")])]);
  const reduced: unknown[] = [];
  for await (const change of newInformer(clusterAt(t, server), widgetKind, { transform: reduce })) {
    if (!("object" in change)) continue;
    reduced.push([change.type, change.object["reduced"]]);
    if (change.type === "deleted") break;
  }
  assert.deepEqual(reduced, [
    ["added", true],
    ["deleted", true],
  ]);
});

const page = (resourceVersion: string, objects: string, next: string) => {
  const list = widgetList(resourceVersion, objects);
  return answer(200, { ...list, metadata: { ...list.metadata, continue: next } });
};

test("by page, objects are emitted before the list is complete; one that starts again corrects them", { timeout: 5000 }, async (t) => {
  const server = await serveScript(t, [
    page("10", "a@1#5 b@2#6", "more"),
    answer(410, failureStatus(410, "Expired")),
    page("20", "a@1#5 c@3#12", "more"),
    answer(200, widgetList("20", "d@4#13")),
    send([watchEventLine("DELETED", "d@4#21")]),
  ]);
  const emitted = await read(newInformer(clusterAt(t, server), widgetKind, { byPage: true }), "deleted d@4#21");
  assert.equal(emitted.join(", "), "added a@1#5, added b@2#6, added c@3#12, added d@4#13, deleted b@2#6, synced, deleted d@4#21");
});

test("by page, what is known already is changed at once by a later list", { timeout: 5000 }, async (t) => {
  const server = await serveScript(t, [
    answer(200, widgetList("10", "a@1#5 b@2#6")),
    send([`${JSON.stringify({ type: "ERROR", object: failureStatus(410, "Expired") })}\n`], "end"),
    page("50", "a@1#40", "more"),
    answer(200, widgetList("50", "c@3#41")),
    send([watchEventLine("DELETED", "c@3#51")]),
  ]);
  const emitted = await read(newInformer(clusterAt(t, server), widgetKind, { byPage: true }), "deleted c@3#51");
  assert.equal(emitted.join(", "), "added a@1#5, added b@2#6, synced, deleted b@2#6, modified a@1#40, added c@3#41, deleted c@3#51");
});

test("the signal ends every reader", async (t) => {
  const server = await serveScript(t, [answer(200, widgetList("10", "a@1#5")), send([])]);
  const stop = new AbortController();
  const emitted: string[] = [];
  for await (const change of newInformer(clusterAt(t, server), widgetKind, { signal: stop.signal })) {
    emitted.push(changeText(change));
    if (change.type === "synced") stop.abort();
  }
  assert.deepEqual(emitted, ["added a@1#5", "synced"]);
});

test("a kind that comes, goes and comes again", { timeout: 20_000 }, async (t) => {
  const definitions = {
    group: "apiextensions.k8s.io",
    versions: ["v1"],
    resources: [{ name: "customresourcedefinitions", kind: "CustomResourceDefinition", namespaced: false, verbs: ["watch"] }],
  };
  let served = false;
  let lists = 0;
  let definitionWatch: ServerHttp2Stream | undefined;
  let widgetWatch: ServerHttp2Stream | undefined;
  const server = await serveHttp2(t, (stream, headers) => {
    const url = new URL(String(headers[":path"]), "http://server");
    const open = () => {
      stream.respond({ ":status": 200 });
      return stream;
    };
    if (url.pathname === "/api") return reply(stream, 200, { kind: "APIVersions", versions: [] });
    if (url.pathname === "/apis") {
      return reply(stream, 200, {
        kind: "APIGroupList",
        groups: [{ name: definitions.group, versions: [{ groupVersion: "apiextensions.k8s.io/v1", version: "v1" }] }],
      });
    }
    if (url.pathname === "/apis/apiextensions.k8s.io/v1")
      return reply(stream, 200, { groupVersion: "apiextensions.k8s.io/v1", resources: definitions.resources });
    if (url.pathname.endsWith("/customresourcedefinitions"))
      return url.searchParams.has("watch")
        ? void (definitionWatch = open())
        : reply(stream, 200, { metadata: { resourceVersion: "8" }, items: [] });
    if (!served) return reply(stream, 404, "404 page not found", { "content-type": "text/plain" });
    if (url.pathname === "/apis/example.com/v1") return reply(stream, 200, widgetResourceList);
    if (url.searchParams.has("watch")) return void (widgetWatch = open());
    lists++;
    return reply(stream, 200, lists === 1 ? widgetList("10", "a@1#5") : widgetList("20", "b@2#15"));
  });
  const register = async () => {
    const watch = await until(() => definitionWatch);
    served = true;
    watch.write(`${JSON.stringify({ type: "MODIFIED", object: { metadata: { name: "widgets.example.com", resourceVersion: "9" } } })}\n`);
    definitionWatch = undefined;
  };
  // Real time: a watch must be faster than any timer.
  const transport = openTransport({ server: server.url, authority: authority.certificate }, new RealClock());
  t.after(() => transport.close());
  const cluster = connect(transport.exchange, { attempts: 1 });
  const emitted: string[] = [];
  for await (const change of newInformer(cluster, widgetKind)) {
    emitted.push(change.type === "interrupted" ? change.because.name : changeText(change));
    if (emitted.at(-1) === "UnknownKind") await register();
    if (emitted.at(-1) === "synced") {
      const watch = await until(() => widgetWatch);
      served = false;
      watch.end();
    }
    if (emitted.at(-1) === "added b@2#15") break;
  }
  assert.deepEqual(emitted, ["UnknownKind", "added a@1#5", "synced", "deleted a@1#5", "UnknownKind", "added b@2#15"]);
});
