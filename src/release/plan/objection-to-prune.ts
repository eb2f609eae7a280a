import { isKeepPolicy } from "../order/index.ts";
import type { PlanInput } from "./plan-input.ts";
import type { PruneCandidate } from "./prune-candidate.ts";
import { otherOwner } from "./live-owner.ts";

/** What the objections need to know about the release. */
export type PruneContext = {
  readonly input: PlanInput;
  /** The uids of the desired objects: an object can be reachable by another version or group of its kind. */
  readonly wantedUids: ReadonlySet<string>;
  /** The namespaces of the desired objects. */
  readonly inhabited: ReadonlySet<string>;
};

/** A reason to keep an object, in words that a user can act on; undefined when it may be pruned. */
type Guard = (candidate: PruneCandidate, context: PruneContext) => string | undefined;

const guards: readonly Guard[] = [
  isReleaseNamespace,
  isKept,
  isKeptLive,
  isOfOtherRelease,
  isUnowned,
  isDesired,
  isVolumeClaim,
  hasDesiredObjects,
];

export function objectionToPrune(candidate: PruneCandidate, context: PruneContext): string | undefined {
  for (const guard of guards) {
    const objection = guard(candidate, context);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/** The annotations that can keep an object, and the values that do. */
const keepAnnotations = ["sluice.dev/remove", "werf.io/resource-policy", "helm.sh/resource-policy", "kots.io/keep"];
const keepValue = /\b(?:keep|skip-delete|true)\b/i;

function isKept({ constraints, item }: PruneCandidate): string | undefined {
  if (constraints.remove !== "keep" && !constraints.keep.delete) return undefined;
  const annotations = item.object.metadata.annotations ?? {};
  const said = keepAnnotations.find((key) => keepValue.test(annotations[key] ?? ""));
  return said === undefined ? "its manifest says that it is to be kept" : `${said} says ${annotations[said]!.trim()}`;
}

/** The annotation also counts on the live object, as in Helm. */
function isKeptLive({ live }: PruneCandidate): string | undefined {
  return isKeepPolicy(live.annotations?.["helm.sh/resource-policy"]) ? "the live object says helm.sh/resource-policy: keep" : undefined;
}

function isOfOtherRelease({ live }: PruneCandidate, { input }: PruneContext): string | undefined {
  const other = otherOwner(live, input.release);
  return other === undefined ? undefined : `it belongs to ${other}`;
}

function isUnowned({ constraints }: PruneCandidate): string | undefined {
  return constraints.ownership === "anyone" ? "it belongs to no release" : undefined;
}

function isDesired({ live }: PruneCandidate, { wantedUids }: PruneContext): string | undefined {
  return live.uid !== undefined && wantedUids.has(live.uid) ? "the release has it under another name of its kind" : undefined;
}

function isVolumeClaim({ ref, constraints }: PruneCandidate, { input }: PruneContext): string | undefined {
  if (ref.group !== "" || ref.kind !== "PersistentVolumeClaim" || mayDeleteData(constraints, input)) return undefined;
  return "it holds data: delete it with --delete-data";
}

function isReleaseNamespace({ ref }: PruneCandidate, { input }: PruneContext): string | undefined {
  const home = ref.group === "" && ref.kind === "Namespace" && ref.name === input.release?.namespace;
  return home ? "it is the namespace of the release" : undefined;
}

function hasDesiredObjects({ ref }: PruneCandidate, { inhabited }: PruneContext): string | undefined {
  const used = ref.group === "" && ref.kind === "Namespace" && inhabited.has(ref.name);
  return used ? "the release still has objects in it" : undefined;
}

/** Whether data may be deleted: by option, or because the object has a deletion phase. */
function mayDeleteData({ deletion }: PruneCandidate["constraints"], { options = {} }: PlanInput): boolean {
  return options.deleteData === true || deletion.phase !== undefined;
}

/** CRDs are checked last: whether they still have custom resources depends on what else is pruned. */
export function objectionToPruneCrd(
  { ref, constraints, live }: PruneCandidate,
  pruned: ReadonlySet<string>,
  input: PlanInput,
): string | undefined {
  if (ref.kind !== "CustomResourceDefinition" || mayDeleteData(constraints, input)) return undefined;
  const left = (live.inhabitants ?? []).filter((key) => !pruned.has(key)).length;
  if (left === 0) return undefined;
  return `there ${left === 1 ? "is 1 object" : `are ${left} objects`} of its kind: delete it with --delete-data`;
}
