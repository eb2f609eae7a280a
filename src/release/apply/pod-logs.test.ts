import assert from "node:assert/strict";
import { test } from "node:test";
import { runAndLog, startPlanCluster, workloadHook } from "../../../test/support/run-log.ts";
import { fieldsAt } from "../../core/object/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { Ordered } from "../order/index.ts";

const behaviour = [
  { match: { image: "good:*" }, run: "1s", logs: ["done"] },
  { match: { image: "bad:*" }, run: "1s", result: { exitCode: 3 }, logs: ["no database"] },
];

const preHook = (image: string): Ordered<DesiredManifest> => workloadHook("Job", "j", { install: ["pre"] }, {}, image);

/** The Job with other fields of its spec. */
function withSpec(one: Ordered<DesiredManifest>, spec: object): Ordered<DesiredManifest> {
  return { ...one, item: { ...one.item, object: { ...one.item.object, spec: { ...fieldsAt(one.item.object, "spec"), ...spec } } } };
}

test("the failure of a Job with several pods names the pod whose lines are shown", async () => {
  const tries = withSpec(preHook("bad:1"), { backoffLimit: 3 });
  const log = await runAndLog(await startPlanCluster(behaviour), { desired: [tries] });
  const failed = log.events.find((event) => event.type === "failed");
  assert.ok(failed?.type === "failed");
  const [, named] = /pod (\S+):/.exec(failed.because) ?? [];
  assert.notEqual(named, undefined, failed.because);
  assert.deepEqual(
    failed.logs?.map(({ pod }) => pod),
    [named],
    failed.because,
  );
});

const forbidden = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "no", code: 403 });

/** Answers as to a user who may not list or watch pods. */
const withoutPods = (exchange: Exchange): Exchange => {
  return async (request) =>
    /\/pods(?:\?|$)/.test(request.path) ? { status: 403, headers: {}, body: [Buffer.from(forbidden)] } : exchange(request);
};

for (const [image, expected] of [
  ["good:1", /^finished await job\/j: its logs are not shown, since you may not list pods in its namespace$/],
  ["bad:1", /^failed await job\/j: .*; its logs are not shown, since you may not list pods in its namespace$/],
] as const)
  test(`a user who may not list pods is told why a Job with the image ${image} shows no logs`, async () => {
    const told = await runAndLog(await startPlanCluster(behaviour, withoutPods), { desired: [preHook(image)] }, { logs: "jobs" });
    assert.ok(
      told.lines.some((line) => expected.test(line)),
      told.lines.join("\n"),
    );
    const unasked = await runAndLog(await startPlanCluster(behaviour, withoutPods), { desired: [preHook(image)] });
    assert.doesNotMatch(unasked.lines.join("\n"), /logs/);
  });
