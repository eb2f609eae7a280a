import { equal, stringAt, titleOf } from "../../src/core/object/index.ts";
import type { Hook, Revision } from "../../src/release/record/index.ts";
import type { ClusterUnderTest } from "./cluster-under-test.ts";
import type { ReleaseSnapshot } from "./release-snapshot.ts";
import type { ScenarioRunner } from "./scenario-runner.ts";

/** The outcome of an act: its result as text, and what the cluster contains. */
export type ActOutcome = { readonly end: string; readonly snapshot: ReleaseSnapshot; readonly latest: Revision | undefined };

/** How two outcomes differ. */
export function outcomeDifferences(expected: ActOutcome, found: ActOutcome): readonly string[] {
  const [before, now] = [expected.snapshot, found.snapshot];
  const titles = [...new Set([...Object.keys(before.objects), ...Object.keys(now.objects)])];
  const records = [before.records.join(", "), now.records.join(", ")] as const;
  return [
    ...(expected.end === found.end ? [] : [`it ended with ${found.end}, not ${expected.end}`]),
    ...titles.filter((title) => !equal(before.objects[title], now.objects[title])).map((title) => differenceOf(title, before, now)),
    ...(records[0] === records[1] ? [] : [`the records are ${records[1]}, not ${records[0]}`]),
  ];
}

function differenceOf(title: string, before: ReleaseSnapshot, now: ReleaseSnapshot): string {
  if (!(title in now.objects)) return `${title} is not there`;
  if (!(title in before.objects)) return `${title} is there`;
  return `${title} is ${JSON.stringify(now.objects[title])}, not ${JSON.stringify(before.objects[title])}`;
}

/** How often each object was created or changed, by title. */
export function hookRunsIn(seen: readonly string[]): ReadonlyMap<string, number> {
  const runs = new Map<string, number>();
  for (const text of seen) {
    const [, title = ""] = /^(\S+).* (?:created|changed)$/.exec(text) ?? [];
    if (title !== "") runs.set(title, (runs.get(title) ?? 0) + 1);
  }
  return runs;
}

/** Hooks that were recorded as succeeded and ran again all the same. */
export function repeatedHooks(
  left: Revision | undefined,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly string[] {
  const operation = left?.state === "uninstalling" ? "delete" : /^pending-(.*)$/.exec(left?.state ?? "")?.[1];
  if (left === undefined || operation === undefined) return [];
  const hooks = left.hooks.filter(({ events }) => events.some((event) => event.endsWith(`-${operation}`)));
  return [...Map.groupBy(hooks, (hook) => titleOf(hook))].flatMap(([title, alike]) => {
    if (!alike.some(hasRun)) return [];
    const due = alike.reduce((sum, hook) => sum + runsDue(hook, operation), 0);
    const runs = (after.get(title) ?? 0) - (before.get(title) ?? 0);
    return runs > due ? [`${title} ran ${runs} times more, and was due ${due} times`] : [];
  });
}

function hasRun({ lastRun }: Hook): boolean {
  return lastRun.phase === "Succeeded";
}

/** How often a hook still has to run in an operation, by its record. */
function runsDue(hook: Hook, operation: string): number {
  const events = ["pre", "post"].map((when) => `${when}-${operation}`).filter((event) => hook.events.some((each) => each === event));
  const last = hasRun(hook) ? events.indexOf(hook.lastRun.event ?? "") : -1;
  return events.length - 1 - last;
}

const leases = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

/** Leases that are still held, although no operation runs. */
export async function heldLeases(runner: ScenarioRunner, underTest: ClusterUnderTest): Promise<readonly string[]> {
  const { items } = await underTest.until(runner.thirdParty.cluster.list(leases));
  const held = items.filter(
    (lease) => lease.metadata.namespace?.startsWith(runner.namespace) === true && stringAt(lease, "spec.holderIdentity", "") !== "",
  );
  return held.map(({ metadata }) => `lease ${metadata.name} is still held`);
}
