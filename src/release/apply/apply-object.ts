import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isApiFault, isConflict, isNotFound, isUnknownKind, isTransient, type Cluster } from "../../kube/index.ts";
import { fieldsAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealedText } from "../conceal/index.ts";
import { defaultTracking, type Action, type RecordAction } from "../plan/index.ts";
import type { StepProgress } from "../index.ts";
import { keepLiveReplicas } from "../live/index.ts";
import { waitForKind, type ObjectWaits } from "../track/index.ts";
import { withNamespace } from "./with-namespace.ts";
import type { Semaphore } from "./semaphore.ts";

/** Where a plan is carried out. */
export type ApplyContext = {
  readonly cluster: Cluster;
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Writes down what became of a release. Without it records are passed over. */
  readonly record?: (action: RecordAction, signal: AbortSignal) => Promise<void>;
  /** Hears of every step in the moment in which it happens, before the steps that follow from it. */
  readonly onProgress?: (event: StepProgress) => void;
};

/** What carrying out a step needs beside it. */
export type StepContext = {
  readonly applyContext: ApplyContext;
  readonly waits: ObjectWaits;
  readonly semaphore: Semaphore;
  readonly signal: AbortSignal;
  /** Where objects live that have a namespace and name none. */
  readonly home: string;
  /** Told why a step cannot go on yet. */
  readonly onWaiting: (because: string) => void;
};

export type ApplyAction = Extract<Action, { verb: "apply" }>;
export type DeleteAction = Extract<Action, { verb: "delete" }>;

/** Applies an object, after its kind is served and, where it is to be replaced, after the old one is gone. Waiting takes up no place among those that apply. */
export async function applyObject(asked: ApplyAction, context: StepContext): Promise<KubeObject> {
  const action = asked.waitForKind ? await onceKindIsServed(asked, context) : asked;
  if (action.replace) await deletePrevious(action, context);
  const manifest = await withReplicas(action, context);
  const { applyContext, signal, semaphore } = context;
  const options = { manager: applyContext.manager ?? "sluice", force: action.force, signal };
  return withRetries(
    () => semaphore.run(() => unlessAborted(signal, () => applyContext.cluster.apply(manifest, options))),
    action,
    context,
  );
}

/** Whoever stood in line may be late when the turn comes. */
function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return work();
}

/** Waits for the kind. Only now is it known whether its objects live in namespaces, whatever was believed when the plan was drawn. */
async function onceKindIsServed(action: ApplyAction, { waits, signal, onWaiting, home }: StepContext): Promise<ApplyAction> {
  const { ref, manifest } = action;
  const { namespaced } = await waitForKind(waits, ref, () => {
    onWaiting(`the cluster does not serve ${ref.kind} yet`);
    return signal;
  });
  const namespace = namespaced ? ref.namespace || home : "";
  return { ...action, ref: { ...ref, namespace }, manifest: withNamespace(manifest, namespace) };
}

async function deletePrevious({ ref, propagation }: ApplyAction, context: StepContext): Promise<void> {
  const left = await deleteObject({ verb: "delete", ref, propagation }, context);
  const uid = left?.metadata.uid;
  if (left === undefined || uid === undefined) return;
  const gone = context.waits.start({ ref, gates: [{ until: "absent" }], tracking: defaultTracking, uid }, undefined, (because) =>
    context.onWaiting(`the old one is to go first: ${because}`),
  );
  context.signal.addEventListener("abort", () => gone.cancel(), { once: true });
  const ending = await gone.ended;
  if (ending.state === "failed") throw new Fault(ending.because);
}

/** Asks for the deletion, and gives what is still there of it. What is gone already, or is another one by now, is nobody's fault. */
export async function deleteObject(
  { ref, propagation, uid }: DeleteAction,
  { applyContext, semaphore, signal }: StepContext,
): Promise<KubeObject | undefined> {
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  try {
    return await semaphore.run(() =>
      unlessAborted(signal, () => applyContext.cluster.delete(ref, { propagation, ...preconditions, signal })),
    );
  } catch (error) {
    if (isNotFound(error) || isUnknownKind(error) || (uid !== undefined && isConflict(error))) return undefined;
    throw error;
  }
}

/** Tries again while the trouble may pass: a webhook whose pods are starting, a kind that one server of several does not know yet. */
async function withRetries(
  apply: () => Promise<KubeObject>,
  action: ApplyAction,
  { applyContext, signal, onWaiting }: StepContext,
): Promise<KubeObject> {
  const { clock } = applyContext.cluster;
  for (let pauseMs = 100; ; pauseMs *= 2) {
    try {
      return await apply();
    } catch (error) {
      if (signal.aborted || pauseMs > 15_000 || !(isTransient(error) || isNotServedYet(error, action.ref))) throw error;
      onWaiting(failureText(error, action));
      await sleep(clock, pauseMs, signal);
    }
  }
}

function isNotServedYet(error: unknown, { group }: ObjectRef): boolean {
  return group !== "" && isApiFault(error) && error.code === 404 && error.details.name === undefined;
}

/** Models werf: the number of replicas that holds only when an object is created, and is left alone from then on. */
async function withReplicas(
  { ref, manifest, change, replicasOnCreation }: ApplyAction,
  { applyContext, signal }: StepContext,
): Promise<KubeObject> {
  if (replicasOnCreation === undefined) return manifest;
  if (change !== "created" && change !== "recreated") return keepLiveReplicas(await applyContext.cluster.find(ref, { signal }), manifest);
  return { ...manifest, spec: { ...fieldsAt(manifest, "spec"), replicas: replicasOnCreation } };
}

/** What the cluster says, without the secrets that it may quote; and for fields that somebody else owns what can be done about it. */
export function failureText(error: unknown, action: Action): string {
  if (isApiFault(error) && isConflict(error) && error.conflicts.length > 0) {
    const owners = error.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
    return `${owners}: leave the field out, or take it over with --force-conflicts`;
  }
  const text = error instanceof Error ? error.message : String(error);
  return action.verb === "apply" ? concealedText(text, [action.manifest], { whole: false, paths: [] }) : text;
}
