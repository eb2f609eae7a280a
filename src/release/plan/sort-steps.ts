import { CycleError, topologicalOrder } from "../../core/graph/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { titleOf } from "../../core/object/index.ts";
import type { MutableStep } from "./plan-builder.ts";
import type { Step, StepNeed } from "./plan.ts";

/** Sorts the steps so that each comes after its needs. In a cycle implied needs are dropped; a cycle of written needs is a problem. */
export function sortSteps(
  drafted: readonly MutableStep[],
): { readonly steps: readonly Step[] } | { readonly problems: readonly Problem[] } {
  const steps = new Map(drafted.map((step) => [step.id, step]));
  for (;;) {
    try {
      const order = topologicalOrder(new Map(drafted.map((step) => [step.id, step.needs.map(({ id }) => id)])));
      return { steps: order.map((id) => steps.get(id)!) };
    } catch (error) {
      if (!(error instanceof CycleError)) throw error;
      const cycle = error.cycle.map((id) => steps.get(String(id))!);
      if (!dropImpliedNeed(cycle))
        return { problems: [{ at: cycle.find(({ at }) => at !== undefined)?.at ?? "", message: cycleText(cycle) }] };
    }
  }
}

/** Drops one implied need of the cycle, preferably one that only orders requests. */
function dropImpliedNeed(cycle: readonly MutableStep[]): boolean {
  const edges = cycle.slice(0, -1).map((step, at) => ({ step, need: needOn(step, cycle[at + 1]!) }));
  const weak = edges.find(({ need }) => need.implied && need.settled) ?? edges.find(({ need }) => need.implied);
  if (weak === undefined) return false;
  weak.step.needs = weak.step.needs.filter((need) => need !== weak.need);
  return true;
}

function needOn(step: MutableStep, on: MutableStep): StepNeed {
  const found = step.needs.filter(({ id }) => id === on.id);
  return found.find(({ implied }) => implied !== true) ?? found[0]!;
}

function cycleText(cycle: readonly MutableStep[]): string {
  const links = cycle.slice(0, -1).flatMap((step, at) => {
    const on = cycle[at + 1]!;
    const [from, to] = [nameOf(step), nameOf(on)];
    return from === to ? [] : [`${from} waits for ${to} (${needOn(step, on).because})`];
  });
  return `these wait for each other, so none could ever start: ${links.join(", ")}; take one of the annotations away`;
}

function nameOf({ action }: MutableStep): string {
  if (action.verb === "join") return action.what;
  return action.verb === "record" ? `the record of ${action.release}` : titleOf(action.ref);
}
