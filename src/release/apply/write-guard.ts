import { Fault } from "../../core/fault/index.ts";
import { isApiFault, isConflict, type Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** Makes the writes of a plan conditional: an object is written only in the version that was looked at. */
export type WriteGuard = {
  /** The guarded objects by `keyOf`, as they were read for the plan; undefined: there was none. Others are written without a condition. */
  readonly basis: ReadonlyMap<string, KubeObject | undefined>;
  /** Why the live object may not be written; undefined when it may. Is called when it is no longer as the plan knew it. */
  readonly objectionTo: (live: KubeObject, verb: "apply" | "delete") => Promise<string | undefined>;
};

/** The guard objects to a write: somebody has changed the object since the plan was made. */
export class GuardedWrite extends Fault {
  override readonly name = "GuardedWrite";
}

/** The version that a write requires. */
type RequiredVersion = { readonly uid?: string; readonly resourceVersion: string };

/**
 * The resourceVersion of no object, since the first revision of a store is empty. An apply with it creates the object, and is a
 * conflict when there is one.
 */
const unusedVersion = "1";

/** The manifest for an apply that creates the object, and is a conflict when there is one. */
export function asNew(manifest: KubeObject): KubeObject {
  return { ...manifest, metadata: { ...manifest.metadata, resourceVersion: unusedVersion } };
}

/** How often a write of somebody else in between is put up with: an object whose status changes all the time is busy. */
const maxAttempts = 20;

type WriteContext = { readonly guard: WriteGuard | undefined; readonly cluster: Cluster; readonly signal: AbortSignal };

/**
 * Writes an object in the version that the guard knows, or without a condition when it knows nothing of it. After a conflict the
 * guard looks at the live object, and what it does not object to is written in the new version.
 */
export async function writeGuarded<T>(
  { verb, ref }: { readonly verb: "apply" | "delete"; readonly ref: ObjectRef },
  { guard, cluster, signal }: WriteContext,
  write: (required: RequiredVersion | undefined) => Promise<T>,
): Promise<T> {
  if (guard === undefined || !guard.basis.has(keyOf(ref))) return write(undefined);
  let live = guard.basis.get(keyOf(ref));
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(versionOf(live));
    } catch (error) {
      if (!isModified(error) || attempt === maxAttempts) throw error;
    }
    live = await cluster.find(ref, { signal });
    const because = live === undefined ? undefined : await guard.objectionTo(live, verb);
    if (because !== undefined) throw new GuardedWrite(because, undefined, { final: true });
  }
}

function versionOf(live: KubeObject | undefined): RequiredVersion {
  const { uid, resourceVersion = unusedVersion } = live?.metadata ?? {};
  return { ...(uid === undefined ? {} : { uid }), resourceVersion };
}

/** The version does not match. A conflict that names fields is one of field managers. */
function isModified(error: unknown): boolean {
  return isConflict(error) && isApiFault(error) && error.conflicts.length === 0;
}
