import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isApiFault, isConflict, isNotFound, isNotServed, isUnknownKind, isTransient, type Cluster } from "../../kube/index.ts";
import { fieldsAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealedText, mergeSensitivity, type SensitiveObject } from "../conceal/index.ts";
import { defaultTracking, type Action, type ApplyAction, type RecordAction } from "../plan/index.ts";
import type { StepProgress } from "../index.ts";
import { keepLiveReplicas } from "../live/index.ts";
import { waitForServedKind, type ObjectWaits, type Semaphore } from "../track/index.ts";
import { withNamespace } from "../prepare/index.ts";
import { cureMatcher, curesOf, withRefusalAdvice, type Cure } from "../refusal/index.ts";
import { migrateFieldOwnership } from "./migrate-field-ownership.ts";
import { GuardedWrite, writeGuarded, type WriteGuard } from "./write-guard.ts";

/** The cluster that a plan runs against, and what is called back while it runs. */
export type ApplyContext = {
  readonly cluster: Cluster;
  /** The field manager of the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Makes writes conditional. Default: none is. */
  readonly guard?: WriteGuard;
  /** Writes the release record. Without it record steps do nothing. */
  readonly record?: (action: RecordAction, signal: AbortSignal) => Promise<void>;
  /** Is called for every step event as it happens, before dependent steps start. */
  readonly onProgress?: (event: StepProgress) => void;
  /** The objects of the release whose sensitive values are hidden in logs and messages. Default: those that the plan applies. */
  readonly objects?: () => readonly SensitiveObject[];
};

/** What one step needs to run. */
export type StepContext = {
  readonly applyContext: ApplyContext;
  readonly waits: ObjectWaits;
  readonly semaphore: Semaphore;
  readonly signal: AbortSignal;
  /** The namespace of namespaced objects that name none. */
  readonly home: string;
  /** Is called with the reason why a step cannot go on yet. */
  readonly onWaiting: (because: string) => void;
};

type DeleteAction = Extract<Action, { verb: "delete" }>;

/**
 * Applies an object. Waits first until its kind is served and, when it is replaced, until the previous object is gone.
 * An object that is being deleted takes an apply and goes all the same, so it is created once it is gone. Waiting holds
 * no slot of the semaphore.
 */
export async function applyObject(original: ApplyAction, context: StepContext): Promise<KubeObject> {
  const action = original.waitForKind ? await onceKindIsServed(original, context) : original;
  if (action.replace) await deletePrevious(action, context);
  if (action.deleting !== undefined) await waitUntilGone(action.ref, action.deleting, context);
  for (;;) {
    const applied = await applyOnce(action, context);
    const { deletionTimestamp, uid } = applied.metadata;
    if (deletionTimestamp === undefined || uid === undefined) return applied;
    await waitUntilGone(action.ref, uid, context);
  }
}

async function applyOnce(action: ApplyAction, context: StepContext): Promise<KubeObject> {
  const manifest = await withReplicas(action, context);
  const { applyContext, signal, semaphore } = context;
  const { cluster, guard, manager = "sluice" } = applyContext;
  const options = { manager, force: action.force, signal };
  const { clientSideManagers: from = [] } = action;
  const migrate = () => (from.length === 0 ? undefined : migrateFieldOwnership(manifest, { from, manager }, cluster, signal));
  return withRetries(
    () =>
      semaphore.run(() =>
        unlessAborted(signal, async () => {
          await migrate();
          return writeGuarded(action, { guard, cluster, signal }, (required) =>
            cluster.apply(required === undefined ? manifest : inVersion(manifest, required.resourceVersion), options),
          );
        }),
      ),
    action,
    context,
  );
}

/** The uid is left out: an apply that names one never creates the object, which may have gone in the meantime. */
function inVersion({ metadata, ...rest }: KubeObject, resourceVersion: string): KubeObject {
  return { ...rest, metadata: { ...metadata, resourceVersion } } as KubeObject;
}

/** Re-checks the abort signal after waiting for a slot. */
function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return work();
}

/** Waits until the kind is served. Only discovery says whether the kind is namespaced; the plan may have assumed otherwise. */
async function onceKindIsServed(action: ApplyAction, { waits, signal, onWaiting, home }: StepContext): Promise<ApplyAction> {
  const { ref, manifest } = action;
  const { namespaced } = await waitForServedKind(waits, ref, () => {
    onWaiting(`the cluster does not serve ${ref.kind} yet`);
    return signal;
  });
  const namespace = namespaced ? ref.namespace || home : "";
  return { ...action, ref: { ...ref, namespace }, manifest: withNamespace(manifest, namespace) };
}

async function deletePrevious({ ref, propagation }: ApplyAction, context: StepContext): Promise<void> {
  const left = await requestDeletion({ verb: "delete", ref, propagation }, context);
  const uid = left?.metadata.uid;
  if (left !== undefined && uid !== undefined) await waitUntilGone(ref, uid, context);
}

async function waitUntilGone(ref: ObjectRef, uid: string, context: StepContext): Promise<void> {
  const onReason = (because: string) => context.onWaiting(`the old one is to go first: ${because}`);
  const gone = context.waits.start({ ref, gates: [{ until: "absent" }], tracking: defaultTracking, uid }, { onReason });
  context.signal.addEventListener("abort", () => gone.cancel(), { once: true });
  const ending = await gone.ended;
  if (ending.state === "failed") throw new Fault(ending.because);
}

/** Deletes an object as `requestDeletion` does. One that its guard keeps is left alone. */
export async function deleteObject(action: DeleteAction, context: StepContext): Promise<KubeObject | undefined> {
  try {
    return await requestDeletion(action, context);
  } catch (error) {
    if (error instanceof GuardedWrite) return undefined;
    throw error;
  }
}

/** Requests the deletion and returns what is left of the object. An object that is gone or has another uid is no error. */
async function requestDeletion(action: DeleteAction, context: StepContext): Promise<KubeObject | undefined> {
  const { ref, propagation, uid } = action;
  const { applyContext, semaphore, signal } = context;
  const { cluster, guard } = applyContext;
  try {
    const request = () =>
      writeGuarded(action, { guard, cluster, signal }, (required) =>
        cluster.delete(ref, { propagation, ...preconditionsOf(required ?? { uid }), signal }),
      );
    return await withRetries(() => semaphore.run(() => unlessAborted(signal, request)), action, context);
  } catch (error) {
    if (isNotFound(error) || isUnknownKind(error) || (uid !== undefined && isConflict(error))) return undefined;
    throw error;
  }
}

function preconditionsOf({ uid, resourceVersion }: { readonly uid?: string | undefined; readonly resourceVersion?: string }) {
  const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return Object.keys(preconditions).length === 0 ? {} : { preconditions };
}

/**
 * Retries what may go away by itself: a webhook whose pods are starting, a kind that not every API server serves yet, an
 * outage, and a refusal that an earlier step has cured a moment ago.
 */
async function withRetries<T>(
  write: () => Promise<T>,
  action: ApplyAction | DeleteAction,
  { applyContext, signal, onWaiting }: StepContext,
): Promise<T> {
  const { clock } = applyContext.cluster;
  for (let pauseMs = 100; ; pauseMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || pauseMs > longestPauseMs(error, action)) throw error;
      onWaiting(failureText(error, action, applyContext));
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** How long the pauses between two attempts may become: 0 when another attempt fails in the same way. */
function longestPauseMs(error: unknown, action: ApplyAction | DeleteAction): number {
  if (action.verb !== "apply" || !isApiFault(error)) return isTransient(error) ? transientPauseMs : 0;
  const cures = curesOf(error, action.ref);
  // The server answers 500 to a field that is not in the schema: that lasts as long as the schema does.
  const isFinal = cures.length > 0 && cures.every(({ by }) => by === "definition");
  if (!isFinal && (isTransient(error) || (isNotServed(error) && action.ref.group !== ""))) return transientPauseMs;
  return isBeingCured(cures, action) ? curingPauseMs : 0;
}

const transientPauseMs = 15_000;
/** API servers see a changed definition, quota or webhook within a second or two; in all this waits for 13 seconds. */
const curingPauseMs = 6_400;

/** Whether the check was deferred until something was changed that may cure this very refusal. */
function isBeingCured(cures: readonly Cure[], { deferred }: ApplyAction): boolean {
  return deferred !== undefined && deferred.after.some((ref) => cures.some((cure) => mayCure(cure, { ref })));
}

const mayCure = cureMatcher([]);

/** Models werf: replicas-on-creation sets the replicas of a new object and never changes them afterwards. */
async function withReplicas(
  { ref, manifest, change, replicasOnCreation }: ApplyAction,
  { applyContext, signal }: StepContext,
): Promise<KubeObject> {
  if (replicasOnCreation === undefined) return manifest;
  if (change !== "created" && change !== "recreated") return keepLiveReplicas(await applyContext.cluster.find(ref, { signal }), manifest);
  return { ...manifest, spec: { ...fieldsAt(manifest, "spec"), replicas: replicasOnCreation } };
}

/** The error message without sensitive values that the API server quotes. A field conflict also gets a remedy. */
export function failureText(error: unknown, action: Action, { objects = () => [] }: Pick<ApplyContext, "objects">): string {
  if (isApiFault(error) && isConflict(error) && error.conflicts.length > 0) {
    const owners = error.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
    return `${owners}: leave the field out, or take it over with --force-conflicts`;
  }
  const text = error instanceof Error ? error.message : String(error);
  if (action.verb !== "apply") return text;
  const { kind, name } = action.ref;
  const namesakes = objects().filter(({ object }) => object.kind === kind && object.metadata.name === name);
  const sensitive = namesakes.map((each) => each.sensitive).reduce(mergeSensitivity, { whole: false, paths: [] });
  return concealedText(withRefusalAdvice(text), [action.manifest], sensitive);
}
