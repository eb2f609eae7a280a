import type { WriteGuard } from "../../release/apply/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { LiveState } from "../../release/live/index.ts";
import { isOwnToRemove, objectionToTakeOver } from "./object-owner.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";

/** The objects of a plan, as they were read for it. Hooks are left out: they belong to no profile. */
type GuardedObjects = { readonly refs: readonly ObjectRef[]; readonly found: LiveState };

/**
 * Lets a profile write its objects only as they were when their owners were looked at. Profiles that want the same object at the
 * same time all read it before one of them writes: the API server lets the first through, and the others look again.
 */
export class ResourceGuard implements WriteGuard {
  readonly basis: ReadonlyMap<string, KubeObject | undefined>;
  /** The conflicts with other profiles that were found while writing, by `keyOf` of the object. */
  readonly conflicts = new Map<string, string>();
  readonly #scope: ClusterSummaryScope;
  readonly #context: AddonContext;
  readonly #signal: AbortSignal;

  constructor({ refs, found }: GuardedObjects, scope: ClusterSummaryScope, context: AddonContext, signal: AbortSignal) {
    this.basis = new Map(refs.map((ref) => [keyOf(ref), found.objects.get(keyOf(ref))?.live]));
    this.#scope = scope;
    this.#context = context;
    this.#signal = signal;
  }

  readonly objectionTo = async (live: KubeObject, verb: "apply" | "delete"): Promise<string | undefined> => {
    const options = { signal: this.#signal };
    if (verb === "delete")
      return (await isOwnToRemove(live, this.#scope, this.#context, options)) ? undefined : "another profile has it by now";
    const because = await objectionToTakeOver(live, this.#scope, this.#context, options);
    if (because !== undefined) this.conflicts.set(keyOf(refOf(live)), because);
    return because;
  };
}

/** The objects that a plan guards: what it applies and what it removes, without hooks. */
export function guardedObjectsOf(
  found: LiveState,
  ...members: readonly (readonly { readonly ref: ObjectRef; readonly constraints: { readonly hook: boolean } }[])[]
): GuardedObjects {
  return { refs: members.flat().flatMap(({ ref, constraints }) => (constraints.hook ? [] : [ref])), found };
}
