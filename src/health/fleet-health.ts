import { booleanAt, conditionsOf, fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failedBecause, progressingBecause, ready, readyWith, type Health } from "./health.ts";
import { suspension } from "./suspension.ts";

/** Assesses an object of a fleet. Undefined leaves it to the conventions for custom resources. */
type FleetHealthCheck = (object: KubeObject) => Health | undefined;

/** What one part of a status says, if it is not fine: for one cluster, one feature or one release. */
type PartHealth = { readonly state: "failed" | "progressing"; readonly because: string };

/** For kinds that only declare something, and to which nobody may ever write a status. */
const declarativeHealth: FleetHealthCheck = (object) => refusal(object) ?? ready;

const profileHealth: FleetHealthCheck = (object) =>
  judged(object, () => {
    const failures = listAt(object, "status.failedClusters").map(({ clusterRef, failureMessage }) =>
      failedPart(`${clusterText(clusterRef)}: ${text(failureMessage)}`),
    );
    return [...failures, ...updating(object)];
  });

/** With maxUpdate a change goes to some clusters after the other. */
function updating(profile: KubeObject): readonly PartHealth[] {
  const [open, done] = ["updating", "updated"].map((state) => listAt(profile, `status.${state}Clusters.clusters`).length);
  if (open === undefined || open === 0) return [];
  return [progressingPart(`${done ?? 0} of ${listAt(profile, "status.matchingClusters").length} clusters updated`)];
}

/** For kinds that report in `status.clusterInfo`. */
const clusterInfoHealth: FleetHealthCheck = (object) => judged(object, () => listAt(object, "status.clusterInfo").flatMap(infoHealth));

const clusterHealthCheckHealth: FleetHealthCheck = (object) =>
  judged(object, () =>
    listAt(object, "status.clusterCondition").flatMap((entry) => {
      const info = fieldsAt(entry, "clusterInfo");
      const undelivered = listAt(entry, "notificationSummaries").filter(({ status }) => status === "FailedToDeliver");
      return [
        ...infoHealth(info),
        ...undelivered.map(({ name, failureMessage }) =>
          failedPart(`${clusterText(info["cluster"])}: notification ${text(name)}: ${text(failureMessage)}`),
        ),
      ];
    }),
  );

function infoHealth(info: Fields): readonly PartHealth[] {
  const status = stringAt(info, "status", "");
  const because = `${clusterText(info["cluster"])}: ${stringAt(info, "failureMessage", "") || status}`;
  if (status.startsWith("Failed")) return [failedPart(because)];
  return status === "Provisioning" || status === "Removing" ? [progressingPart(because)] : [];
}

/** A CEL rule that cannot be evaluated for an object counts as false, which is no failure of the EventSource. */
const eventSourceHealth: FleetHealthCheck = (object) =>
  judged(object, () =>
    listAt(object, "status.clusterInfo").flatMap(({ cluster, ...info }) =>
      listAt(info, "failures")
        .filter(({ effect }) => effect !== "Skipped")
        .map((failure) => failedPart(`${clusterText(cluster)}: ${titleOf(fieldsAt(failure, "resource"))}${text(failure["message"])}`)),
    ),
  );

const clusterSummaryHealth: FleetHealthCheck = (object) => {
  const isDryRun = stringAt(object, "spec.clusterProfileSpec.syncMode") === "DryRun";
  const health = judged(object, () => summaryParts(object, isDryRun));
  return isDryRun && health?.state === "ready" && health.note === undefined ? readyWith("a dry run deploys nothing") : health;
};

function summaryParts(summary: KubeObject, isDryRun: boolean): readonly PartHealth[] {
  const features = listAt(summary, "status.featureSummaries");
  const releases = listAt(summary, "status.helmReleaseSummaries").flatMap(releaseHealth);
  const parts = [...features.flatMap((feature) => featureHealth(feature, isDryRun)), ...releases];
  const missing = missingFeatures(summary, features);
  if (missing.length === 0 || parts.length > 0) return parts;
  const dependencies = stringAt(summary, "status.dependencies", "");
  return [progressingPart(dependencies.startsWith("waiting") ? dependencies : `${missing.join(", ")}: not deployed yet`)];
}

/** A feature that is tried again is Provisioning and keeps the message of its failure. One of a dry run stays Provisioning. */
function featureHealth(feature: Fields, isDryRun: boolean): readonly PartHealth[] {
  const [id = "", status = "", message = ""] = ["featureID", "status", "failureMessage"].map((field) => stringAt(feature, field, ""));
  if (status === "Provisioned" || status === "Removed") return [];
  if (message !== "" || status.startsWith("Failed")) return [failedPart(`${id}: ${message || status}`)];
  return isDryRun ? [] : [progressingPart(`${id}: ${status}`)];
}

function releaseHealth(release: Fields): readonly PartHealth[] {
  const title = `release ${text(release["releaseNamespace"])}/${text(release["releaseName"])}`;
  const message = stringAt(release, "failureMessage", "") || (release["status"] === "Conflict" ? text(release["conflictMessage"]) : "");
  return message === "" ? [] : [failedPart(`${title}: ${message}`)];
}

function missingFeatures(summary: KubeObject, features: readonly Fields[]): readonly string[] {
  const wanted = { Resources: "policyRefs", Helm: "helmCharts", Kustomize: "kustomizationRefs" };
  return Object.entries(wanted).flatMap(([id, field]) => {
    const isWanted = listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0;
    return isWanted && !features.some(({ featureID }) => featureID === id) ? [id] : [];
  });
}

const sveltosClusterHealth: FleetHealthCheck = (object) => {
  const paused = suspension(object);
  if (paused !== undefined) return readyWith(paused);
  if (hasNoStatus(object)) return undefined;
  const message = stringAt(object, "status.failureMessage", "");
  const unreachable = message === "" ? "it cannot be reached" : `it cannot be reached: ${message}`;
  if (stringAt(object, "status.connectionStatus") === "Down") return failedBecause(unreachable);
  if (message !== "") return progressingBecause(unreachable);
  return booleanAt(object, "status.ready") ? ready : progressingBecause("not ready yet");
};

/**
 * What holds for all kinds that a controller reports on: a suspended object is ready, a refused one has failed. Otherwise the
 * parts decide, failures first; then the object itself may say that it is not done. Undefined without a status.
 */
function judged(object: KubeObject, parts: () => readonly PartHealth[]): Health | undefined {
  if (hasNoStatus(object)) return undefined;
  if (booleanAt(object, "status.reconciliationSuspended"))
    return readyWith(`suspended: ${stringAt(object, "status.suspensionReason", "nothing is deployed")}`);
  const refused = refusal(object);
  if (refused !== undefined) return refused;
  const all = parts();
  const failures = all.filter(({ state }) => state === "failed");
  if (failures.length > 0) return failedBecause(firstOf(failures));
  if (all.length > 0) return progressingBecause(firstOf(all));
  const holding = conditionsOf(object).filter(({ status }) => status === "True");
  const reconciling = holding.find(({ type }) => type === "Reconciling");
  if (reconciling !== undefined) return progressingBecause(conditionText(reconciling));
  return holding.length === 0 ? ready : readyWith(holding.map((condition) => conditionText(condition)).join("; "));
}

function refusal(object: KubeObject): Health | undefined {
  const message = stringAt(object, "status.failureMessage", "");
  return message === "" ? undefined : failedBecause(message);
}

function hasNoStatus(object: KubeObject): boolean {
  return Object.keys(fieldsAt(object, "status")).length === 0;
}

function failedPart(because: string): PartHealth {
  return { state: "failed", because };
}

function progressingPart(because: string): PartHealth {
  return { state: "progressing", because };
}

function firstOf([first, ...others]: readonly PartHealth[]): string {
  const because = first?.because ?? "";
  // A part may have counted its own.
  return others.length === 0 ? because : `${because.replace(/ \(and \d+ more\)$/, "")} (and ${others.length} more)`;
}

function clusterText(reference: unknown): string {
  return `${stringAt(reference, "namespace", "")}/${stringAt(reference, "name", "")}`;
}

/** `Service shop/web: `, as in the Events about it. */
function titleOf(reference: Fields): string {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map((field) => stringAt(reference, field, ""));
  return name === "" ? "" : `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}: `;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const config = "config.projectsveltos.io";
const lib = "lib.projectsveltos.io";

/** The checks for Sluice's kinds and for those of Sveltos that have a status, by group and kind. */
export const fleetHealthChecks: readonly (readonly [string, FleetHealthCheck])[] = [
  [`${config}/ClusterConfiguration`, () => ready],
  [`${config}/ClusterProfile`, profileHealth],
  [`${config}/ClusterReport`, () => ready],
  [`${config}/ClusterSummary`, clusterSummaryHealth],
  [`${config}/Profile`, profileHealth],
  [`${lib}/Classifier`, clusterInfoHealth],
  [`${lib}/ClusterHealthCheck`, clusterHealthCheckHealth],
  [`${lib}/ClusterSet`, declarativeHealth],
  [`${lib}/EventBasedAddOn`, clusterInfoHealth],
  [`${lib}/EventReport`, declarativeHealth],
  [`${lib}/EventSource`, eventSourceHealth],
  [`${lib}/EventTrigger`, clusterInfoHealth],
  [`${lib}/HealthCheckReport`, declarativeHealth],
  [`${lib}/ReloaderReport`, declarativeHealth],
  [`${lib}/ResourceSummary`, declarativeHealth],
  [`${lib}/RoleRequest`, clusterInfoHealth],
  [`${lib}/Set`, declarativeHealth],
  [`${lib}/SveltosCluster`, sveltosClusterHealth],
];
