import type { Action, Plan, Step } from "../release/plan/index.ts";
import type { Progress } from "../release/index.ts";

/** The fields that all events of a run share. */
export type RunLabels = {
  readonly cluster: string;
  readonly release?: { readonly name: string; readonly namespace: string; readonly revision: number };
};

/** Progress as one JSON document, a line of `-o ndjson`. Leaves out manifests, and with them secrets. */
export function progressJson(event: Progress, atMs: number, { cluster, release }: RunLabels): string {
  const content = event.type === "planned" ? plannedOutline(event) : event;
  const owner = release === undefined ? {} : { release: release.name, namespace: release.namespace, revision: release.revision };
  return JSON.stringify({ at: new Date(atMs).toISOString(), ...content, ...owner, cluster });
}

function plannedOutline({ type, plan, because }: Extract<Progress, { type: "planned" }>): object {
  return { type, ...(because === undefined ? {} : { because }), ...outlineOf(plan) };
}

/** A plan without its manifests. */
function outlineOf({ operation, steps, kept }: Plan): object {
  return { operation, steps: steps.map(stepOutline), kept };
}

function stepOutline({ id, action, needs, stage, rank }: Step): object {
  return { id, ...actionOutline(action), stage, rank, needs: needs.map((need) => need.id) };
}

function actionOutline(action: Action): object {
  if (action.verb === "join") return { verb: action.verb };
  if (action.verb === "record") return { verb: action.verb, state: action.state };
  const { verb, ref } = action;
  if (action.verb === "apply")
    return { verb, ref, change: action.change, ...(action.deferred === undefined ? {} : { deferred: action.deferred }) };
  return action.verb === "await" ? { verb, ref, until: action.gates.map(({ until }) => until) } : { verb, ref };
}
