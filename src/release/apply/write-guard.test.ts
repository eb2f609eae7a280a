import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { connectInProcess } from "../../../test/support/connected-cluster.ts";
import { keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Action, Plan } from "../plan/index.ts";
import { runPlan, type WriteGuard } from "./index.ts";

const { signal } = new AbortController();
const configMap = (v: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default" },
  data: { v },
});
const ref = refOf(configMap(""));

/** Runs a plan of one step, for which the object was read as `basis`. */
async function run(cluster: Cluster, verb: "apply" | "delete", basis: KubeObject | undefined, objectionTo: WriteGuard["objectionTo"]) {
  const action: Action =
    verb === "delete"
      ? { verb, ref, propagation: "background" }
      : {
          verb,
          ref,
          manifest: configMap("ours"),
          change: "created",
          replace: false,
          force: true,
          propagation: "background",
          waitForKind: false,
        };
  const plan: Plan = { version: 1, operation: "upgrade", steps: [{ id: "it", action, needs: [], stage: "main", rank: 0 }], kept: [] };
  const guard = { basis: new Map([[keyOf(ref), basis]]), objectionTo };
  for await (const event of runPlan(plan, { cluster, guard }, { signal })) if (event.type === "done") return event.because ?? event.status;
  return undefined;
}

async function opened(t: TestContext) {
  const { cluster, clock } = await connectInProcess(t);
  const dataOf = async () => ((await cluster.find(ref))?.["data"] as { v?: string } | undefined)?.v;
  const write = (v: string) => clock.until(cluster.apply(configMap(v), { manager: "other", force: true }));
  return {
    dataOf: () => clock.until(dataOf()),
    write,
    run: (...args: DropFirst<Parameters<typeof run>>) => clock.until(run(cluster, ...args)),
  };
}

type DropFirst<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

const asked = (answer: string | undefined) => {
  const seen: unknown[] = [];
  return { seen, objectionTo: async (live: KubeObject) => (seen.push((live["data"] as { v: string }).v), answer) };
};

test("what is as it was read is written, and the guard is not asked", async (t) => {
  const cluster = await opened(t);
  const guard = asked("no");
  assert.equal(await cluster.run("apply", undefined, guard.objectionTo), "deployed");
  const live = await cluster.write("theirs");
  assert.equal(await cluster.run("apply", live, guard.objectionTo), "deployed");
  assert.deepEqual([await cluster.dataOf(), guard.seen], ["ours", []]);
});

for (const [name, isThere] of [
  ["created", false],
  ["changed", true],
] as const) {
  test(`what was ${name} since it was read is not written when the guard objects`, async (t) => {
    const cluster = await opened(t);
    const basis = isThere ? await cluster.write("before") : undefined;
    await cluster.write("theirs");
    const guard = asked("it is taken");
    assert.equal(await cluster.run("apply", basis, guard.objectionTo), "configmap/a: it is taken");
    assert.deepEqual([await cluster.dataOf(), guard.seen], ["theirs", ["theirs"]]);
  });

  test(`what was ${name} since it was read is written in its new version when the guard agrees`, async (t) => {
    const cluster = await opened(t);
    const basis = isThere ? await cluster.write("before") : undefined;
    await cluster.write("theirs");
    assert.equal(await cluster.run("apply", basis, asked(undefined).objectionTo), "deployed");
    assert.equal(await cluster.dataOf(), "ours");
  });
}

test("what has gone since it was read is created", async (t) => {
  const cluster = await opened(t);
  const basis = await cluster.write("before");
  assert.equal(await cluster.run("delete", basis, asked("no").objectionTo), "deployed");
  assert.equal(await cluster.run("apply", basis, asked("no").objectionTo), "deployed");
  assert.equal(await cluster.dataOf(), "ours");
});

test("what was changed since it was read is not deleted when the guard objects, and that is no failure", async (t) => {
  const cluster = await opened(t);
  const basis = await cluster.write("before");
  await cluster.write("theirs");
  assert.equal(await cluster.run("delete", basis, asked("it is taken").objectionTo), "deployed");
  assert.equal(await cluster.dataOf(), "theirs");
  assert.equal(await cluster.run("delete", basis, asked(undefined).objectionTo), "deployed");
  assert.equal(await cluster.dataOf(), undefined);
});
