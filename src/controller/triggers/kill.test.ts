import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { Copies, type Desk } from "../index.ts";
import { all, content, eventSource, Lab, service, trigger } from "./fixture.test.ts";
import { keepTriggers } from "./index.ts";

const text = "{{ .Resource.metadata.name }}";
const writes = ["create", "replace", "patch", "delete"] as const;

/** A cluster whose writes stop after so many: the last one is made, and its answer is lost. */
function failing(hub: Cluster, writesLeft: number, die: () => void): Cluster {
  let left = writesLeft;
  const guarded = Object.fromEntries(
    writes.map((verb) => [
      verb,
      async (...args: unknown[]): Promise<unknown> => {
        if (left-- <= 0) throw new Error("killed");
        const answer: unknown = await Reflect.apply(hub[verb], hub, args);
        if (left > 0) return answer;
        die();
        throw new Error("killed");
      },
    ]),
  );
  return { ...hub, ...guarded };
}

/** Keeps triggers until so many writes have been made, then dies; whether it did within a while. */
async function runAndDie(lab: Lab, count: number): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([lab.fleet.signal, stop.signal]);
  const { desk } = lab.fleet;
  let died = false;
  const hub = failing(desk.hub, count, () => {
    died = true;
    stop.abort(new Error("killed"));
  });
  const copy: Desk = { ...desk, hub, copies: new Copies(desk.hub, signal) };
  const work = keepTriggers(copy, signal).catch(() => undefined);
  await lab.pass();
  stop.abort(new Error("killed"));
  await lab.fleet.until(work);
  return died;
}

/** As the profiles' controller does when all that was deployed is withdrawn. */
async function release(lab: Lab): Promise<void> {
  for (const profile of await lab.profiles()) {
    if (profile.metadata.deletionTimestamp === undefined) continue;
    const ref = { ...gvkOf("ClusterProfile"), namespace: "", name: profile.metadata.name };
    await lab.fleet.until(lab.fleet.hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: [] } } }));
  }
}

test("killed after any write and started again, it makes nothing twice and loses no name", async (t) => {
  const lab = await Lab.open();
  t.after(() => lab.fleet.close());
  await lab.fleet.run();
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a"), service("b")]);
  const seen = new Set<string>();
  for (let died = true; died;) {
    died = await runAndDie(lab, 1);
    for (const name of await lab.names()) seen.add(name);
  }
  assert.equal(seen.size, 4, "every name that was ever given is still there");
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  // One is gone and one is new: the profile goes before what it refers to.
  await lab.reports("services", "c1", [service("b"), service("c")]);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  await release(lab);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.deepEqual(await lab.texts(), ["b: b", "c: c"]);
  assert.equal((await lab.names()).length, 4);
  // The trigger stays until nothing is left of what it made.
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  await lab.delete(ref);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.notEqual(await lab.fleet.get(ref), undefined);
  await release(lab);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.deepEqual(await lab.names(), []);
  assert.equal(await lab.fleet.get(ref), undefined);
});
