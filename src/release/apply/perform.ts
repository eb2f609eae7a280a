import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isApiFault, isConflict, isNotFound, isUnknownKind, mayPass, type Cluster } from "../../kube/index.ts";
import { fieldsAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealedText } from "../conceal/index.ts";
import { plainTracking, type Action, type RecordAction } from "../plan/index.ts";
import type { Progress } from "../index.ts";
import { withReplicasOf } from "../live/index.ts";
import { served, type Waits } from "../track/index.ts";
import { inNamespace } from "./in-namespace.ts";
import type { Limit } from "./limit.ts";

/** Where a plan is carried out. */
export type Site = {
  readonly cluster: Cluster;
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Writes down what became of a release. Without it records are passed over. */
  readonly record?: (action: RecordAction, signal: AbortSignal) => Promise<void>;
  /** Hears of every step in the moment in which it happens, before the steps that follow from it. */
  readonly hear?: (event: Progress) => void;
};

/** What carrying out a step needs beside it. */
export type Means = {
  readonly site: Site;
  readonly waits: Waits;
  readonly limit: Limit;
  readonly signal: AbortSignal;
  /** Where objects live that have a namespace and name none. */
  readonly home: string;
  /** Told why a step cannot go on yet. */
  readonly waiting: (because: string) => void;
};

export type Apply = Extract<Action, { verb: "apply" }>;
export type Delete = Extract<Action, { verb: "delete" }>;

/** Applies an object, after its kind is served and, where it is to be replaced, after the old one is gone. Waiting takes up no place among those that apply. */
export async function applyObject(asked: Apply, means: Means): Promise<KubeObject> {
  const action = asked.waitForKind ? await inItsPlace(asked, means) : asked;
  if (action.replace) await removeOld(action, means);
  const manifest = await withReplicas(action, means);
  const { site, signal, limit } = means;
  const options = { manager: site.manager ?? "sluice", force: action.force, signal };
  return patiently(() => limit.run(() => inTime(signal, () => site.cluster.apply(manifest, options))), action, means);
}

/** Whoever stood in line may be late when the turn comes. */
function inTime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return work();
}

/** Waits for the kind. Only now is it known whether its objects live in namespaces, whatever was believed when the plan was drawn. */
async function inItsPlace(action: Apply, { waits, signal, waiting, home }: Means): Promise<Apply> {
  const { ref, manifest } = action;
  const { namespaced } = await served(waits, ref, () => {
    waiting(`the cluster does not serve ${ref.kind} yet`);
    return signal;
  });
  const namespace = namespaced ? ref.namespace || home : "";
  return { ...action, ref: { ...ref, namespace }, manifest: inNamespace(manifest, namespace) };
}

async function removeOld({ ref, propagation }: Apply, means: Means): Promise<void> {
  const left = await deleteObject({ verb: "delete", ref, propagation }, means);
  const uid = left?.metadata.uid;
  if (left === undefined || uid === undefined) return;
  const gone = means.waits.start({ ref, gates: [{ until: "absent" }], tracking: plainTracking, uid }, undefined, (because) =>
    means.waiting(`the old one is to go first: ${because}`),
  );
  means.signal.addEventListener("abort", () => gone.giveUp(), { once: true });
  const ending = await gone.ended;
  if (ending.state === "failed") throw new Fault(ending.because);
}

/** Asks for the deletion, and gives what is still there of it. What is gone already, or is another one by now, is nobody's fault. */
export async function deleteObject({ ref, propagation, uid }: Delete, { site, limit, signal }: Means): Promise<KubeObject | undefined> {
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  try {
    return await limit.run(() => inTime(signal, () => site.cluster.delete(ref, { propagation, ...preconditions, signal })));
  } catch (error) {
    if (isNotFound(error) || isUnknownKind(error) || (uid !== undefined && isConflict(error))) return undefined;
    throw error;
  }
}

/** Tries again while the trouble may pass: a webhook whose pods are starting, a kind that one server of several does not know yet. */
async function patiently(apply: () => Promise<KubeObject>, action: Apply, { site, signal, waiting }: Means): Promise<KubeObject> {
  const { clock } = site.cluster;
  for (let pauseMs = 100; ; pauseMs *= 2) {
    try {
      return await apply();
    } catch (error) {
      if (signal.aborted || pauseMs > 15_000 || !(mayPass(error) || isNotServedYet(error, action.ref))) throw error;
      waiting(troubleText(error, action));
      await sleep(clock, pauseMs, signal);
    }
  }
}

function isNotServedYet(error: unknown, { group }: ObjectRef): boolean {
  return group !== "" && isApiFault(error) && error.code === 404 && error.details.name === undefined;
}

/** Models werf: the number of replicas that holds only when an object is created, and is left alone from then on. */
async function withReplicas({ ref, manifest, change, replicasOnCreation }: Apply, { site, signal }: Means): Promise<KubeObject> {
  if (replicasOnCreation === undefined) return manifest;
  if (change !== "created" && change !== "recreated") return withReplicasOf(await site.cluster.find(ref, { signal }), manifest);
  return { ...manifest, spec: { ...fieldsAt(manifest, "spec"), replicas: replicasOnCreation } };
}

/** What the cluster says, without the secrets that it may quote; and for fields that somebody else owns what can be done about it. */
export function troubleText(error: unknown, action: Action): string {
  if (isApiFault(error) && isConflict(error) && error.conflicts.length > 0) {
    const owners = error.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
    return `${owners}: leave the field out, or take it over with --force-conflicts`;
  }
  const text = error instanceof Error ? error.message : String(error);
  return action.verb === "apply" ? concealedText(text, [action.manifest], { whole: false, paths: [] }) : text;
}
