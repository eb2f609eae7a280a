import type { Operation } from "../order/index.ts";
import type { RevisionState } from "../record/index.ts";
import type { PlanBuilder, Frontier } from "./plan-builder.ts";
import type { StageMember } from "./stage-member.ts";
import type { RecordAction, StepNeed } from "./plan.ts";

const opening: Readonly<Partial<Record<Operation, RevisionState>>> = {
  install: "pending-install",
  upgrade: "pending-upgrade",
  rollback: "pending-rollback",
  delete: "uninstalling",
};

/** Adds the record that the operation has started, before anything else. */
export function addBeginRecord(builder: PlanBuilder): Frontier {
  const state = opening[builder.input.operation];
  if (state === undefined) return [];
  return addRecord(builder, `record/${state}`, state, { stage: "crds", rank: 0 }, []);
}

/** Adds the record that the operation has succeeded, and the one that it has failed. */
export function addEndRecord(builder: PlanBuilder, frontier: Frontier): void {
  const { operation } = builder.input;
  if (opening[operation] === undefined) return;
  const place = { stage: "post", rank: 0 } as const;
  const state = operation === "delete" ? "uninstalled" : "deployed";
  const [done] = addRecord(builder, `record/${state}`, state, place, frontier);
  if (done === undefined || operation === "delete") return;
  const needs: readonly StepNeed[] = [{ ...done, settled: true }];
  addRecord(builder, "record/failed", "failed", place, needs, { onlyIf: { id: done.id, outcome: "unfinished" } });
}

/**
 * Records that a hook has succeeded before the next one runs. Hooks that did not run for this revision are not
 * recorded. An unchanged hook of a continued revision was applied by the run before.
 */
export function addHookRecord(builder: PlanBuilder, hook: StageMember, done: Frontier): Frontier {
  const { stage, constraints, ref, key } = hook;
  const { operation, release, hooksDone } = builder.input;
  const state = opening[operation];
  const hasRun = hook.applied !== undefined || (hooksDone !== undefined && !hook.done && hook.live.exists);
  if (state === undefined || !constraints.hook || !hasRun || release === undefined) return done;
  const place = { stage, rank: constraints.rank };
  const frontier = addRecord(
    builder,
    `record/${stage}/${constraints.rank}/${key}`,
    state,
    place,
    done,
    { hook: true },
    { hook: { stage, ref } },
  );
  return frontier.map((need) => ({ ...need, because: done[0]?.because ?? need.because }));
}

function addRecord(
  builder: PlanBuilder,
  id: string,
  state: RevisionState,
  place: Parameters<PlanBuilder["add"]>[2],
  needs: Frontier,
  more: Parameters<PlanBuilder["add"]>[4] = {},
  detail: Pick<RecordAction, "hook"> = {},
): Frontier {
  const { release } = builder.input;
  if (release === undefined) return needs;
  const { name, namespace, revision } = release;
  builder.add(id, { verb: "record", release: name, namespace, revision, state, ...detail }, place, needs, more);
  return [{ id, because: `recorded as ${state}` }];
}
