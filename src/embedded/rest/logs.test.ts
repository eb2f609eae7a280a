import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const pods = "/api/v1/namespaces/default/pods";
const signal = new AbortController().signal;

async function startPodWith(script: string) {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const spec = { restartPolicy: "Never", containers: [{ name: "c", image: "busybox:1", command: ["sh", "-c", script] }] };
  const body = JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  await exchange({ method: "POST", path: pods, headers: {}, body, signal });
  await clock.advance(4000);
  return { clock, exchange };
}

/** What has come by now, and whether that is all. */
async function reading(exchange: Exchange, query: string, until = signal) {
  const { status, body } = await exchange({ method: "GET", path: `${pods}/p/log?${query}`, headers: {}, signal: until });
  const log = { status, text: "", ended: false };
  void (async () => {
    for await (const chunk of body) log.text += String(chunk);
    log.ended = true;
  })();
  await Promise.resolve();
  return log;
}

test("following a log brings each line when it is written, and ends with the container", async () => {
  const { clock, exchange } = await startPodWith("echo one; sleep 60; echo two; sleep 60");
  const log = await reading(exchange, "follow=true");
  await clock.advance(1);
  assert.deepEqual(log, { status: 200, text: "one\n", ended: false });
  await clock.advance(60_000);
  assert.equal(log.text, "one\ntwo\n");
  assert.equal(log.ended, false);
  await clock.advance(60_000);
  assert.equal(log.ended, true);
});

test("following from the last line streams the following lines", async () => {
  const { clock, exchange } = await startPodWith("echo one; echo two; sleep 60; echo three; sleep 60");
  const log = await reading(exchange, "follow=true&tailLines=1");
  await clock.advance(60_000);
  assert.equal(log.text, "two\nthree\n");
});

test("a log ends when its pod is deleted, and when its reader stops", async () => {
  const { clock, exchange } = await startPodWith("echo one; sleep 3600");
  const leaving = new AbortController();
  const [stays, leaves] = [await reading(exchange, "follow=true"), await reading(exchange, "follow=true", leaving.signal)];
  leaving.abort();
  await clock.advance(1);
  assert.deepEqual([stays.ended, leaves.ended], [false, true]);
  await exchange({ method: "DELETE", path: `${pods}/p?gracePeriodSeconds=0`, headers: {}, signal });
  await clock.advance(1);
  assert.equal(stays.ended, true);
});

test("a part of a log can be asked for", async () => {
  const { clock, exchange } = await startPodWith("echo one; sleep 30; echo two; sleep 600");
  await clock.advance(40_000);
  const later = new Date(clock.now() - 20_000).toISOString();
  for (const [query, text] of [
    ["", "one\ntwo\n"],
    [`sinceTime=${later}`, "two\n"],
    ["limitBytes=5", "one\nt"],
    ["tailLines=0", ""],
  ] as const) {
    const log = await reading(exchange, query);
    await clock.advance(1);
    assert.equal(log.text, text, query);
  }
});

test("the kubelet's message names the container", async () => {
  const { exchange } = await startPodWith("echo one; sleep 600");
  const { body } = await exchange({ method: "GET", path: "/api/v1/namespaces/default/events", headers: {}, signal });
  const { items } = JSON.parse(String((body as readonly string[])[0])) as {
    items: { reason: string; involvedObject: { fieldPath?: string } }[];
  };
  const place = (reason: string) => items.find((item) => item.reason === reason)?.involvedObject.fieldPath;
  assert.deepEqual([place("Scheduled"), place("Pulled"), place("Started")], [undefined, "spec.containers{c}", "spec.containers{c}"]);
});
