import { isUnknownKind, type Cluster } from "../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import { compareStages } from "../order/index.ts";
import { defaultTracking, type ApplyAction, type AwaitAction, type Plan, type Step } from "../plan/index.ts";
import type { Semaphore } from "../track/index.ts";

/** From so many of a kind and namespace on they are listed instead of read one by one. */
const worthListing = 8;

/** An object that is to be there at the end of a run, by the wait that waits for it, or would. */
type WantedObject = { readonly step: Step; readonly action: AwaitAction };

/** What a plan applies, waits for and leaves as it is, without hooks and what is outside of the release. */
export function wantedObjects({ steps, untouched = [] }: Plan): readonly WantedObject[] {
  const own = [...steps, ...untouched].filter(({ hook }) => hook !== true);
  const awaited = own.flatMap((step) => (step.action.verb === "await" && !step.action.external ? [{ step, action: step.action }] : []));
  const keys = new Set(awaited.map(({ action }) => keyOf(action.ref)));
  const applied = own.flatMap((step) =>
    step.action.verb === "apply" && !keys.has(keyOf(step.action.ref)) ? [{ step, action: presenceOf(step.action) }] : [],
  );
  return [...awaited, ...applied];
}

function presenceOf({ ref }: ApplyAction): AwaitAction {
  return { verb: "await", ref, gates: [{ until: "present" }], external: false, tracking: defaultTracking };
}

/**
 * Those of the objects that do not exist any more, or are being deleted, in the order in which they come again: by stage and
 * rank, Namespaces and CRDs before what is in them. What cannot be read is not known to be gone.
 */
export async function findVanished(
  wanted: readonly WantedObject[],
  cluster: Cluster,
  semaphore: Semaphore,
  signal: AbortSignal,
): Promise<readonly (readonly WantedObject[])[]> {
  const refs = new Map(wanted.map(({ action }) => [keyOf(action.ref), action.ref]));
  const gone = new Set((await findGone([...refs.values()], cluster, semaphore, signal)).map(keyOf));
  const vanished = wanted.filter(({ action }) => gone.has(keyOf(action.ref))).toSorted(inOrder);
  return [...Map.groupBy(vanished, ({ step, action }) => `${step.stage}/${step.rank}/${containerFirst(action)}`).values()];
}

function inOrder(a: WantedObject, b: WantedObject): number {
  return compareStages(a.step.stage, b.step.stage) || a.step.rank - b.step.rank || containerFirst(a.action) - containerFirst(b.action);
}

function containerFirst({ ref }: AwaitAction): number {
  return ref.kind === "Namespace" || ref.kind === "CustomResourceDefinition" ? 0 : 1;
}

async function findGone(
  refs: readonly ObjectRef[],
  cluster: Cluster,
  semaphore: Semaphore,
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> {
  const oneByOne = async (some: readonly ObjectRef[]) => {
    const gone = await Promise.all(some.map((ref) => semaphore.run(() => isGone(ref, cluster, signal))));
    return some.filter((_, index) => gone[index]);
  };
  const groups = Map.groupBy(refs, ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace}`);
  const found = await Promise.all(
    Array.from(groups.values(), async (some) => {
      const names = some.length < worthListing ? undefined : await semaphore.run(() => namesBeside(some[0]!, cluster, signal));
      return names === undefined ? oneByOne(some) : some.filter(({ name }) => !names.has(name));
    }),
  );
  return found.flat();
}

async function isGone(ref: ObjectRef, cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await cluster.find(ref, { signal });
    return found === undefined || found.metadata.deletionTimestamp !== undefined;
  } catch (error) {
    signal.throwIfAborted();
    return isUnknownKind(error);
  }
}

/** The names of all objects of the kind in the namespace that are not being deleted; undefined when they may not be listed. */
async function namesBeside(
  { group, version, kind, namespace }: ObjectRef,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  try {
    for await (const { items } of cluster.pages({ group, version, kind }, { ...(namespace === "" ? {} : { namespace }), signal }))
      for (const { metadata } of items) if (metadata.deletionTimestamp === undefined) names.add(metadata.name);
    return names;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
