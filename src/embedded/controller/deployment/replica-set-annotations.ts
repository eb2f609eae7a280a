import type { KubeObject } from "../../../core/object/index.ts";
import { fenceposts, deploymentReplicas } from "./rollout.ts";

// Models pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations and related functions

export const revisionKey = "deployment.kubernetes.io/revision";
const historyKey = "deployment.kubernetes.io/revision-history";
const desiredKey = "deployment.kubernetes.io/desired-replicas";
const maxKey = "deployment.kubernetes.io/max-replicas";

const longestHistory = 2000;

/** Annotations that are not copied from a Deployment to its ReplicaSets. */
const notCopied: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionKey,
  historyKey,
  desiredKey,
  maxKey,
  "deprecated.deployment.rollback.to",
]);

type Annotations = Readonly<Record<string, string>>;

/** The revision of a ReplicaSet; 0 without a valid annotation. */
export function replicaSetRevisionOf({ metadata }: KubeObject): number {
  return integer(metadata.annotations?.[revisionKey]) ?? 0;
}

/** The annotations of the new ReplicaSet, at this revision or a later one that it already has. */
export function newSetAnnotations(deployment: KubeObject, present: Annotations, revision: number): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key));
  const annotations = { ...present, ...Object.fromEntries(copied) };
  const before = present[revisionKey];
  const beforeNumber = before === undefined || before === "" ? 0 : integer(before);
  if (beforeNumber === undefined || beforeNumber >= revision) return annotations;
  const history = before === undefined ? {} : historyWith(present[historyKey] ?? "", before);
  return { ...annotations, ...history, [revisionKey]: String(revision) };
}

/** A ReplicaSet that is reused under a new revision lists its previous ones, up to a maximum length. */
function historyWith(history: string, revision: string): Annotations {
  if (history === "") return { [historyKey]: revision };
  const revisions = history.split(",");
  let length = history.length + revision.length + 1;
  while (length > longestHistory && revisions.length > 0) length -= revisions.shift()!.length + 1;
  return length > longestHistory ? {} : { [historyKey]: [...revisions, revision].join(",") };
}

/**
 * The Deployment's size, as annotations of a ReplicaSet. They distinguish scaling from a rollout and are the base of
 * proportional scaling.
 */
export function sizeAnnotations(deployment: KubeObject): Annotations {
  const desired = deploymentReplicas(deployment);
  return { [desiredKey]: String(desired), [maxKey]: String(desired + fenceposts(deployment).surge) };
}

export function hasSizeAnnotations(set: KubeObject, deployment: KubeObject): boolean {
  return Object.entries(sizeAnnotations(deployment)).every(([key, value]) => set.metadata.annotations?.[key] === value);
}

export function desiredAnnotation({ metadata }: KubeObject): number | undefined {
  return count(metadata.annotations?.[desiredKey]);
}

export function maxAnnotation({ metadata }: KubeObject): number | undefined {
  return count(metadata.annotations?.[maxKey]);
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) && Number(text) <= 2 ** 31 - 1 ? Number(text) : undefined;
}
