import type { Operation } from "../order/index.ts";
import type { State } from "../record/index.ts";
import type { Draft, Front } from "./draft.ts";
import type { Member } from "./member.ts";
import type { RecordAction, StepNeed } from "./plan.ts";

const opening: Readonly<Partial<Record<Operation, State>>> = {
  install: "pending-install",
  upgrade: "pending-upgrade",
  rollback: "pending-rollback",
  delete: "uninstalling",
};

/** The record that says that something has begun, before anything else is done. */
export function recordBegin(draft: Draft): Front {
  const state = opening[draft.input.operation];
  if (state === undefined) return [];
  return record(draft, `record/${state}`, state, { stage: "crds", rank: 0 }, []);
}

/** The record that all is done; and the one that it is not, when that is so. */
export function recordEnd(draft: Draft, front: Front): void {
  const { operation } = draft.input;
  if (opening[operation] === undefined) return;
  const place = { stage: "post", rank: 0 } as const;
  const state = operation === "delete" ? "uninstalled" : "deployed";
  const [done] = record(draft, `record/${state}`, state, place, front);
  if (done === undefined || operation === "delete") return;
  const needs: readonly StepNeed[] = [{ ...done, settled: true }];
  record(draft, "record/failed", "failed", place, needs, { onlyIf: { id: done.id, outcome: "unfinished" } });
}

/**
 * Notes that a hook has succeeded before the next one runs. Nothing is noted of what was not run for this revision; one
 * that is as it should be when the revision is carried on was brought there by whoever began with it.
 */
export function recordHook(draft: Draft, hook: Member, done: Front): Front {
  const { stage, claims, ref, key } = hook;
  const { operation, release, hooksDone } = draft.input;
  const state = opening[operation];
  const hasRun = hook.applied !== undefined || (hooksDone !== undefined && !hook.done && hook.live.exists);
  if (state === undefined || !claims.hook || !hasRun || release === undefined) return done;
  const place = { stage, rank: claims.rank };
  const front = record(draft, `record/${stage}/${claims.rank}/${key}`, state, place, done, { hook: true }, { hook: { stage, ref } });
  return front.map((need) => ({ ...need, because: done[0]?.because ?? need.because }));
}

function record(
  draft: Draft,
  id: string,
  state: State,
  place: Parameters<Draft["add"]>[2],
  needs: Front,
  more: Parameters<Draft["add"]>[4] = {},
  detail: Pick<RecordAction, "hook"> = {},
): Front {
  const { release } = draft.input;
  if (release === undefined) return needs;
  const { name, namespace, revision } = release;
  draft.add(id, { verb: "record", release: name, namespace, revision, state, ...detail }, place, needs, more);
  return [{ id, because: `recorded as ${state}` }];
}
