import { keyOf } from "../../core/object/index.ts";
import type { Action, Step } from "../plan/index.ts";
import { isUnfinished } from "./unfinished.ts";
import type { Account, Need, Waiting } from "./account.ts";
import { Blockage, type Blocker } from "./blockage.ts";
import type { Situation, Standing } from "./situation.ts";

/** Says of everything that is not where it should be what it lacks, and whom it waits for. */
export function why(situation: Situation): Account {
  const { plan, standings, ...rest } = situation;
  const blockage = new Blockage(plan, standings);
  const firstOpen = new Map<string, Step>();
  const idOf = new Map<string, string>();
  for (const step of plan.steps) {
    const id = blockage.isOpen(step) ? subjectOf(step) : undefined;
    if (id === undefined) continue;
    idOf.set(step.id, id);
    if (!firstOpen.has(id)) firstOpen.set(id, step);
  }
  const needsOf = sharedNeeds(idOf);
  const waiting = [...firstOpen].map(([id, step]): Waiting => {
    const blockers = waitsForOthers(step, situation) ? blockage.before(step) : [];
    return waitingOf(id, step, standings.get(step.id)!, needsOf(blockers), situation);
  });
  return { ...rest, waiting };
}

/** What a step is about, one name for all steps that an object has on its way. */
function subjectOf({ action, stage }: Step): string | undefined {
  if (action.verb === "join" || action.verb === "record") return undefined;
  if (action.verb === "await" && action.external) return `outside/${action.resource ?? ""}/${keyOf(action.ref)}`;
  return lackOf(action) === "gone" ? `gone/${keyOf(action.ref)}` : `${stage}/${keyOf(action.ref)}`;
}

function lackOf(action: Action): Waiting["lacks"] {
  if (action.verb === "apply") return "applied";
  if (action.verb === "delete") return "gone";
  return action.verb === "await" && action.gates.some(({ until }) => until === "absent") ? "gone" : "ready";
}

/** What has been applied, or asked to go, stands for itself; so does all of a release that was deployed once. */
function waitsForOthers({ action }: Step, { state }: Situation): boolean {
  return (action.verb === "apply" || action.verb === "delete") && (isUnfinished(state) || state === "failed");
}

/** Many wait for the same list of steps: it is turned into objects once. */
function sharedNeeds(idOf: ReadonlyMap<string, string>): (blockers: readonly Blocker[]) => readonly Need[] {
  const known = new Map<readonly Blocker[], readonly Need[]>();
  return (blockers) => {
    const found = known.get(blockers) ?? needsIn(blockers, idOf);
    known.set(blockers, found);
    return found;
  };
}

function needsIn(blockers: readonly Blocker[], idOf: ReadonlyMap<string, string>): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const { id, because } of blockers) {
    const on = idOf.get(id);
    if (on !== undefined && !needs.has(on)) needs.set(on, { on, because });
  }
  return [...needs.values()];
}

function waitingOf(id: string, { action }: Step, standing: Standing, waitsFor: readonly Need[], situation: Situation): Waiting {
  if (action.verb === "join" || action.verb === "record" || standing.state === "done") throw new TypeError(`${id} waits for nothing`);
  const lacks = lackOf(action);
  const isFirst = action.verb !== "await" && waitsFor.length === 0;
  return {
    id,
    ref: standing.ref ?? action.ref,
    external: action.verb === "await" && action.external,
    lacks,
    state: standing.state,
    because: isFirst ? `${standing.because}; ${turnText(situation)}` : standing.because,
    waitsFor,
  };
}

/** What becomes of a step that nothing stands in the way of. */
function turnText({ state, holder }: Situation): string {
  if (holder !== undefined && !holder.silent) return "it is its turn";
  if (isUnfinished(state)) return "nobody is at work on the release: run the same command again, and it is carried on";
  return "deploy the release again";
}
