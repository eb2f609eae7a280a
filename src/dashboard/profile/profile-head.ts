import {
  booleanAt,
  conditionsOf,
  isDeleting,
  labelSelectorOf,
  labelSelectorText,
  listAt,
  numberAt,
  stringAt,
  stringsAt,
  type KubeObject,
} from "../../core/object/index.ts";
import { isEmptySelector, originOf, profilePausedAnnotation, readProfile, type Profile } from "../../sveltos/api/index.ts";
import { profileKindOf, statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { ObjectCondition, ProfileHeadItem } from "../api/index.ts";

/** What a profile says of itself. */
export function profileHeadOf(object: KubeObject): ProfileHeadItem {
  const { name, namespace = "", labels = {}, annotations = {}, creationTimestamp = "" } = object.metadata;
  const kind = profileKindOf(object);
  const trigger = originOf(labels)?.trigger;
  const createdAtMs = Date.parse(creationTimestamp);
  const message = statusOccurrences(object).find(({ state, cluster }) => state === "failing" && cluster === undefined)?.message;
  return {
    type: "head",
    kind,
    namespace,
    name,
    labels,
    ...(Number.isNaN(createdAtMs) ? {} : { createdAtMs }),
    ...(trigger === undefined ? {} : { trigger }),
    syncMode: stringAt(object, "spec.syncMode", "Continuous"),
    tier: numberAt(object, "spec.tier", 100),
    stopMatchingBehavior: stringAt(object, "spec.stopMatchingBehavior", "WithdrawPolicies"),
    continueOnConflict: booleanAt(object, "spec.continueOnConflict"),
    selector: selectorTextOf(object),
    references: referencesOf(object, kind),
    ...(message === undefined ? {} : { message }),
    isPaused: annotations[profilePausedAnnotation] !== undefined || booleanAt(object, "status.reconciliationSuspended"),
    isDeleting: isDeleting(object),
    conditions: conditionsOf(object).map(conditionOf),
    ...limitOf(object),
  };
}

/** A selector that cannot be read is not known, and the profile says what is wrong with it. */
function selectorTextOf(object: KubeObject): string {
  const reading = readProfile(object);
  return reading.state === "read" ? selectorText(reading.value) : "";
}

function selectorText({ clusterSelector }: Profile): string {
  return isEmptySelector(clusterSelector) ? "" : labelSelectorText(labelSelectorOf(clusterSelector));
}

function referencesOf(object: KubeObject, kind: "ClusterProfile" | "Profile"): readonly string[] {
  const clusters = listAt(object, "spec.clusterRefs").map(
    (ref) => `${stringAt(ref, "kind", "")} ${stringAt(ref, "namespace", "")}/${stringAt(ref, "name", "")}`,
  );
  const sets = stringsAt(object, "spec.setRefs").map((name) => `${kind === "Profile" ? "Set" : "ClusterSet"} ${name}`);
  return [...clusters, ...sets];
}

/** As the profile controller counts it: a percentage is rounded up, 0 is no limit, and a dry run has none. */
function limitOf(object: KubeObject): Pick<ProfileHeadItem, "maxUpdate" | "limit"> {
  const { maxUpdate } = (object["spec"] ?? {}) as { readonly maxUpdate?: string | number };
  const written = String(maxUpdate ?? 0);
  const number = Number(written.replace("%", ""));
  if (!(number > 0) || stringAt(object, "spec.syncMode") === "DryRun") return {};
  const matching = listAt(object, "status.matchingClusters").length;
  return { maxUpdate: written, limit: written.endsWith("%") ? Math.ceil((number * matching) / 100) : number };
}

function conditionOf({
  type,
  status,
  reason = "",
  message = "",
  lastTransitionTime = "",
}: ReturnType<typeof conditionsOf>[number]): ObjectCondition {
  const atMs = Date.parse(lastTransitionTime);
  return { type, status, reason, message, ...(Number.isNaN(atMs) ? {} : { atMs }) };
}
