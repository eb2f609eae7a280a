import { isHeld } from "../deploy/index.ts";
import {
  agentPresenceOf,
  clusterReferredTo,
  failureMessageOf,
  readClusterSet,
  readEventSource,
  readEventTrigger,
  readProfile,
  readRoleRequest,
  readSveltosCluster,
  type KindName,
  type ReadResult,
} from "../api/index.ts";
import {
  booleanAt,
  conditionsOf,
  fieldsAt,
  listAt,
  statusTimeOf,
  stringAt,
  type Fields,
  type KubeObject,
} from "../../core/object/index.ts";
import type { FleetClusterRef } from "../../view/index.ts";
import { clusterRefIn } from "./cluster-ref.ts";
import type { Occurrence } from "./occurrence.ts";

/** A fact from the status of an object, or from its spec. */
type Finding = Pick<Occurrence, "reason" | "message" | "cause"> & {
  readonly state?: "noted";
  readonly cluster?: FleetClusterRef | undefined;
  readonly time?: string | undefined;
};

type StatusReader = (object: KubeObject) => readonly Finding[];

/** The failures in the status of an object, and whether it is invalid, refused or suspended. */
export function statusOccurrences(object: KubeObject): readonly Occurrence[] {
  const { kind, metadata } = object;
  const account = Object.hasOwn(statusReaders, kind) ? statusReaders[kind as KindName] : undefined;
  const findings = [...(account?.(object) ?? []), ...holdingConditions(object)];
  return findings.map(({ state, reason, message, cluster, cause, time = statusTimeOf(object) }) => ({
    ...(time === undefined ? {} : { time }),
    state: state ?? "failing",
    current: true,
    object: { kind, namespace: metadata.namespace ?? "", name: metadata.name },
    ...(cluster === undefined ? {} : { cluster }),
    reason,
    message,
    ...(cause === undefined ? {} : { cause }),
  }));
}

/** Conditions that are worth knowing and no failure. */
const mayBeMeant: ReadonlySet<string> = new Set(["Reconciling", "NoMatchingCluster"]);

/** The conditions of an object: each is True while it holds. One that is merely being deployed is as it should be. */
function holdingConditions(object: KubeObject): readonly Finding[] {
  const holding = conditionsOf(object).filter(({ type, status, reason }) => {
    const isUnderWay = type === "Reconciling" && reason === "Deploying";
    return type === "Ready" ? status === "False" : status === "True" && !isUnderWay;
  });
  return holding.map(({ type, reason = "", message = "", lastTransitionTime }) => ({
    ...(mayBeMeant.has(type) ? { state: "noted" as const } : {}),
    reason: reason === "" ? type : reason,
    message,
    time: lastTransitionTime,
  }));
}

/** How each kind reports failures. */
const statusReaders: Readonly<Partial<Record<KindName, StatusReader>>> = {
  EventSource: (object) => [...ownFailure(object, readEventSource(object)), ...evaluationFailures(object)],
  EventTrigger: (object) => [...ownFailure(object, readEventTrigger(object)), ...clusterInfoFailures(object)],
  EventBasedAddOn: (object) => [...ownFailure(object, readEventTrigger(object)), ...clusterInfoFailures(object)],
  EventReport: (object) => failureMessage(object).map((finding) => ({ ...finding, cluster: clusterRefIn(object) })),
  ClusterProfile: (object) => [...ownFailure(object, readProfile(object)), ...profileFailures(object), ...suspension(object)],
  Profile: (object) => [...ownFailure(object, readProfile(object)), ...profileFailures(object), ...suspension(object)],
  RoleRequest: (object) => [...ownFailure(object, readRoleRequest(object)), ...clusterInfoFailures(object)],
  ClusterSet: (object) => ownFailure(object, readClusterSet(object)),
  Set: (object) => ownFailure(object, readClusterSet(object)),
  SveltosCluster: clusterFailures,
  ClusterSummary: (object) => summaryFindings(object).map((finding) => ({ ...finding, cluster: clusterRefIn(object) })),
};

export const occurrenceKinds = Object.keys(statusReaders).filter((kind): kind is KindName => kind in statusReaders);

/** The failure of the object as a whole, whether its status has it already or not. */
function ownFailure(object: KubeObject, reading: ReadResult<unknown>): readonly Finding[] {
  const objection = failureMessageOf(reading);
  if (objection === undefined) return failureMessage(object);
  const reason = reading.refused.length > 0 ? "Refused" : "Invalid";
  return [{ reason, message: objection }, ...failureMessage(object).filter(({ message }) => message !== objection)];
}

function failureMessage(object: KubeObject): readonly Finding[] {
  const message = stringAt(object, "status.failureMessage", "");
  return message === "" ? [] : [{ reason: "Failed", message }];
}

function evaluationFailures(source: KubeObject): readonly Finding[] {
  return listAt(source, "status.clusterInfo").flatMap((info) =>
    listAt(info, "failures").map((failure) => {
      const resource = fieldsAt(failure, "resource");
      const about = stringAt(resource, "name") === undefined ? "" : `${titleIn(resource)}: `;
      const message = `${about}${stringAt(failure, "message", "")}`;
      return {
        // A CEL rule that cannot be evaluated for an object counts as false.
        ...(failure["effect"] === "Skipped" ? { state: "noted" as const } : {}),
        reason: "EvaluationFailed",
        message,
        cause: stringAt(failure, "message", ""),
        cluster: clusterAt(info, "cluster"),
        time: stringAt(info, "lastEvaluationTime"),
      };
    }),
  );
}

/** The failures of a trigger or a RoleRequest by cluster. */
function clusterInfoFailures(object: KubeObject): readonly Finding[] {
  return listAt(object, "status.clusterInfo").flatMap((info) => failedEntry(info, "Failed", clusterAt(info, "cluster")));
}

/** The failure of an entry with a status and a failureMessage. One that is being retried is still a failure. */
function failedEntry(entry: Fields, what: string, cluster?: FleetClusterRef): readonly Finding[] {
  const status = stringAt(entry, "status", "");
  const message = stringAt(entry, "failureMessage", "");
  if (message === "" && !status.startsWith("Failed")) return [];
  const reason = status === "FailedNonRetriable" ? `${what}NonRetriable` : what;
  return [{ reason, message: message === "" ? `its status is ${status}` : message, cluster }];
}

function profileFailures(profile: KubeObject): readonly Finding[] {
  return listAt(profile, "status.failedClusters").map((entry) => ({
    reason: "ClusterFailed",
    message: stringAt(entry, "failureMessage", ""),
    cluster: clusterAt(entry, "clusterRef"),
    time: stringAt(entry, "lastFailureTime"),
  }));
}

function suspension(object: KubeObject): readonly Finding[] {
  if (!booleanAt(object, "status.reconciliationSuspended")) return [];
  return [
    {
      state: "noted",
      reason: "Suspended",
      message: stringAt(object, "status.suspensionReason", "nothing is deployed while it is suspended"),
    },
  ];
}

function clusterFailures(object: KubeObject): readonly Finding[] {
  const cluster: FleetClusterRef = { type: "Sveltos", namespace: object.metadata.namespace ?? "", name: object.metadata.name };
  const isDown = stringAt(object, "status.connectionStatus") === "Down";
  const findings = ownFailure(object, readSveltosCluster(object));
  const silent: readonly Finding[] = isDown && findings.length === 0 ? [{ reason: "Down", message: "it cannot be reached" }] : [];
  return [...findings, ...silent, ...agentGone(object)].map((finding) => ({ ...finding, cluster }));
}

function agentGone(object: KubeObject): readonly Finding[] {
  const agent = agentPresenceOf(object);
  if (agent?.state !== "gone") return [];
  const message = "its agent no longer renews its Lease projectsveltos/sluice-agent: the controller evaluates its events meanwhile";
  return [{ reason: "AgentGone", message, time: agent.since }];
}

function summaryFindings(summary: KubeObject): readonly Finding[] {
  const features = listAt(summary, "status.featureSummaries");
  const refused = failureMessage(summary);
  // Nothing is tried while it is refused as a whole: what its features have failed for was before that.
  if (refused.length > 0) return [...refused, ...suspension(summary)];
  return [
    // What a withdrawal waits for is a condition of the profile.
    ...features
      .filter((feature) => !isHeld(stringAt(feature, "status", ""), stringAt(feature, "failureMessage", "")))
      .flatMap((feature) => failedEntry(feature, `${stringAt(feature, "featureID", "")}Failed`)),
    ...listAt(summary, "status.helmReleaseSummaries").flatMap(releaseFailures),
    ...waiting(summary, features),
    ...suspension(summary),
  ];
}

function releaseFailures(release: Fields): readonly Finding[] {
  const name = `release ${stringAt(release, "releaseNamespace", "")}/${stringAt(release, "releaseName", "")}`;
  const failureAt = (path: string, reason: string): readonly Finding[] => {
    const message = stringAt(release, path, "");
    return message === "" ? [] : [{ reason, message: `${name}: ${message}` }];
  };
  return [...failureAt("conflictMessage", "HelmConflict"), ...failureAt("failureMessage", "HelmFailed")];
}

/** The profiles that a ClusterSummary waits for while one of its features is not provisioned. */
function waiting(summary: KubeObject, features: readonly Fields[]): readonly Finding[] {
  const message = stringAt(summary, "status.dependencies", "");
  const isDone = features.length > 0 && features.every(({ status }) => status === "Provisioned" || status === "Removed");
  if (isDone || message === "" || /^(no|all) dependencies/i.test(message)) return [];
  return [{ state: "noted", reason: "WaitsForProfiles", message }];
}

function clusterAt(value: unknown, path: string): FleetClusterRef | undefined {
  return clusterReferredTo(fieldsAt(value, path));
}

/** The title of an object as Events write it: `Service shop/web`. */
function titleIn(reference: Fields): string {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map((field) => stringAt(reference, field));
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}
