import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { Operation, Ordered, Stage } from "../order/index.ts";
import { hasHookSucceeded, type Hook, type HookEvent, type Revision } from "../record/index.ts";

/** The hook event of a stage of an operation. */
export function hookEventOf(operation: Operation, stage: Stage): HookEvent {
  if (operation === "test") return "test";
  return `${stage === "post" ? "post" : "pre"}-${operation}`;
}

/**
 * The index of a hook's record in its revision; -1 when there is none. Records have no namespace, so hooks that differ
 * in it alone are told apart by their manifests.
 */
export function hookIndexOf(hooks: readonly Hook[], ref: Pick<ObjectRef, "kind" | "namespace" | "name">): number {
  const alike = [...hooks.keys()].filter((at) => hooks[at]!.kind === ref.kind && hooks[at]!.name === ref.name);
  if (alike.length < 2) return alike[0] ?? -1;
  const namespaces = alike.map((at) => namespaceIn(hooks[at]!));
  const own = namespaces.indexOf(ref.namespace);
  return alike[own === -1 ? namespaces.indexOf("") : own] ?? -1;
}

function namespaceIn({ manifest, path }: Hook): string {
  return readManifests(manifest, path).manifests[0]?.object.metadata.namespace ?? "";
}

/**
 * The hooks that have succeeded for their event and are not run again, in the form of `PlanInput.hooksDone`. The caller
 * looks the run of a hook up in its own records.
 */
export function hooksDone(
  hooks: readonly Ordered<unknown>[],
  operation: Operation,
  hasSucceeded: (ref: ObjectRef, event: HookEvent) => boolean,
): ReadonlySet<string> {
  const done = new Set<string>();
  for (const { ref, constraints } of hooks) {
    for (const stage of constraints.hook ? (constraints.stages[operation] ?? []) : []) {
      if (hasSucceeded(ref, hookEventOf(operation, stage))) done.add(`${stage}/${keyOf(ref)}`);
    }
  }
  return done;
}

/** The hooks of this revision that have succeeded, by its record. */
export function hooksDoneIn(revision: Revision, hooks: readonly Ordered<unknown>[], operation: Operation): ReadonlySet<string> {
  return hooksDone(hooks, operation, (ref, event) => {
    const hook = revision.hooks[hookIndexOf(revision.hooks, ref)];
    return hook !== undefined && hasHookSucceeded(hook, event);
  });
}

/** Whether a hook has succeeded in any stage. */
export function hasRun(ref: ObjectRef, done: ReadonlySet<string>): boolean {
  return done.has(`pre/${keyOf(ref)}`) || done.has(`post/${keyOf(ref)}`);
}
