import { titleOf } from "../../src/core/object/index.ts";
import type { Progress } from "../../src/release/index.ts";
import type { Plan } from "../../src/release/plan/index.ts";

/** How a run went otherwise than its rehearsal: its end, what failed, what was done, and in which order along the plan's edges. */
export function runDifferences(rehearsed: readonly Progress[], real: readonly Progress[]): readonly string[] {
  return [
    ...differenceOf("the end", endOf(rehearsed), endOf(real)),
    ...differenceOf("what failed", stepsThat("failed", rehearsed), stepsThat("failed", real)),
    ...differenceOf("what finished", stepsThat("finished", rehearsed), stepsThat("finished", real)),
    ...differenceOf("what was skipped", stepsThat("skipped", rehearsed), stepsThat("skipped", real)),
    ...differenceOf("the order along edges", orderAlongEdges(rehearsed, real), orderAlongEdges(real, real)),
  ];
}

function differenceOf(what: string, rehearsed: string, real: string): readonly string[] {
  return rehearsed === real ? [] : [`${what}: rehearsed ${rehearsed || "nothing"}, really ${real || "nothing"}`];
}

function endOf(progress: readonly Progress[]): string {
  const done = progress.findLast((event) => event.type === "done");
  return done?.status ?? "refused";
}

/** Records are left out: a failed run may end before or after it has written one. */
function stepsThat(type: "failed" | "finished" | "skipped", progress: readonly Progress[]): string {
  const steps = progress.flatMap((event) =>
    event.type === type && event.verb !== "record" ? [`${event.verb} ${titleOf(event.ref)} ${event.until ?? ""}`.trim()] : [],
  );
  return [...new Set(steps)].toSorted().join(", ");
}

/** For every edge of the plan whose steps were both started, which of them was first. */
function orderAlongEdges(progress: readonly Progress[], planned: readonly Progress[]): string {
  const plan = planned.find((event) => event.type === "planned")?.plan;
  const startedAs = new Map<string, number>();
  for (const [at, event] of progress.entries())
    if (event.type === "started" && event.id !== undefined && !startedAs.has(event.id)) startedAs.set(event.id, at);
  return edgesOf(plan)
    .flatMap(([need, step]) => {
      const [first, second] = [startedAs.get(need), startedAs.get(step)];
      return first === undefined || second === undefined ? [] : [`${need} ${first < second ? "before" : "after"} ${step}`];
    })
    .join(", ");
}

function edgesOf(plan: Plan | undefined): readonly (readonly [need: string, step: string])[] {
  return (plan?.steps ?? []).flatMap(({ id, needs }) => needs.map((need) => [need.id, id] as const));
}
