import { lineFor } from "../../../core/fault/index.ts";
import { fieldsAt, isDeleting, listAt, stringAt, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import {
  clusterReferredTo,
  eventReportName,
  readEventSource,
  readEventTrigger,
  type ClusterId,
  type EventOrigin,
} from "../../api/index.ts";
import { scriptDefectPath, validateScripts } from "../../evaluate/index.ts";
import { eventSourceFor } from "../../instantiate/index.ts";
import { findParts, refsOf } from "../../report/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import { adviceFor } from "./advice.ts";
import { clusterLink } from "./cluster-link.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { isMatching, isSameId, mismatchLink } from "./matching.ts";
import { brokenLink, conditionTrouble, deletionLink, linkTo, objectOf, okLink, ownTrouble, unknownLink, waitingLink } from "./link.ts";

/**
 * The links from the event in a cluster to its trigger: cluster, EventSource, the objects that match, trigger. One that is being
 * deleted answers no events.
 */
export function eventLinks(
  trigger: KubeObject,
  cluster: ClusterId,
  fleet: FleetObjects,
  resource?: EventOrigin["resource"],
): readonly ChainLink[] {
  if (isDeleting(trigger)) return [deletionLink(trigger)];
  const own = ownTrouble(trigger, readEventTrigger(trigger));
  if (own !== undefined) return [own];
  const source = sourceName(trigger, cluster, fleet);
  if (typeof source !== "string") return [clusterLink(cluster, fleet), source];
  const found = sourceLink(source, trigger, cluster, fleet);
  return [
    clusterLink(cluster, fleet),
    found,
    matchLink(source, cluster, fleet, resource),
    triggerLink(trigger, cluster, fleet, found.state === "ok"),
  ];
}

/** The name of the EventSource, which may be a template over the cluster; or why it has none. */
export function sourceName(trigger: KubeObject, cluster: ClusterId, fleet: FleetObjects): string | ChainLink {
  const reading = readEventTrigger(trigger);
  const managed = fleet.clusters.find(cluster);
  if (reading.state !== "read" || managed === undefined) return stringAt(trigger, "spec.eventSourceName", "");
  const found = eventSourceFor(reading.value, managed, fleet.templates);
  return "name" in found ? found.name : brokenLink(objectOf(trigger), lineFor(found.problem));
}

/** A script or rule of an EventSource that does not compile. It is evaluated nowhere. */
export function scriptTrouble(source: KubeObject): ChainLink | undefined {
  const reading = readEventSource(source);
  const [defect] = reading.state === "read" ? validateScripts(reading.value) : [];
  if (defect === undefined) return undefined;
  const message = `${scriptDefectPath(defect, source)}: ${defect.reason}`;
  return brokenLink(objectOf(source), message, "correct it; sluice lint FILE checks it before it is applied");
}

function sourceLink(name: string, trigger: KubeObject, cluster: ClusterId, fleet: FleetObjects): ChainLink {
  const source = fleet.sources.find(({ metadata }) => metadata.name === name);
  const link = linkTo("EventSource", name);
  if (source === undefined)
    return fleet.isUnreadable("EventSource")
      ? unknownLink(link, "it may not be read")
      : brokenLink(link, "it does not exist", `create it, or correct spec.eventSourceName of EventTrigger ${trigger.metadata.name}`);
  if (isDeleting(source)) return deletionLink(source);
  const own = ownTrouble(source, readEventSource(source)) ?? conditionTrouble(source);
  if (own !== undefined) return own;
  const info = listAt(source, "status.clusterInfo").find((each) => isFor(fieldsAt(each, "cluster"), cluster));
  // A CEL rule that counts as false is no failure.
  const failures = listAt(info, "failures").filter(({ effect }) => effect !== "Skipped");
  const [first] = failures;
  if (first === undefined) return okLink(link);
  const more = failures.length === 1 ? "" : ` (and ${failures.length - 1} more)`;
  const message = `${stringAt(first, "message", "")}${more}`;
  const advice = hasScripts(source) ? "correct its script or rules; sluice events match FILE tries them on the cluster" : undefined;
  const resource = fieldsAt(first, "resource");
  // Without a resource it is a kind that cannot be read, or a script for all of them.
  if (stringAt(resource, "name", "") === "") return brokenLink(link, message, adviceFor(message).advice ?? advice);
  return brokenLink(link, `it cannot judge ${textOf(resource)}: ${message}`, advice);
}

function hasScripts({ spec }: KubeObject): boolean {
  const selectors = listAt(spec, "resourceSelectors");
  if (stringAt(spec, "aggregatedSelection", "") !== "") return true;
  return selectors.some((selector) => stringAt(selector, "evaluate", "") !== "" || listAt(selector, "evaluateCEL").length > 0);
}

/** Some matches are named, the rest is counted. */
const namedMatches = 3;

function matchLink(source: string, cluster: ClusterId, fleet: FleetObjects, resource?: EventOrigin["resource"]): ChainLink {
  const name = eventReportName(source, cluster);
  const link = linkTo("EventReport", name, cluster.namespace);
  const find = (wanted: string) => fleet.findReport(cluster.namespace, wanted);
  const report = find(name);
  if (report === undefined)
    return fleet.isUnreadable("EventReport")
      ? unknownLink(link, "it may not be read")
      : waitingLink(link, "the cluster has not been evaluated yet", "see that sluice controller is running");
  const all = findParts(report, find).parts.flatMap(([, part]) => refsOf(part));
  const matches =
    resource === undefined ? all : all.filter((ref) => ref.name === resource.name && ref.namespace === (resource.namespace ?? ""));
  if (matches.length > 0)
    return okLink(link, `${matches.length === 1 ? "matches" : `${matches.length} objects match`}: ${namesOf(matches)}`);
  const what = resource === undefined ? "no object" : `${resource.namespace ?? ""}/${resource.name} no longer`;
  return waitingLink(link, `${what} matches in the cluster`, "sluice events match FILE says of each object why not");
}

function namesOf(refs: readonly ObjectRef[]): string {
  const more = refs.length - namedMatches;
  const names = refs.slice(0, namedMatches).map((ref) => textOf(ref));
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** `Service shop/web`, from a reference. */
function textOf(reference: unknown): string {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map((field) => stringAt(reference, field, ""));
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

function triggerLink(trigger: KubeObject, cluster: ClusterId, fleet: FleetObjects, isSourceOk: boolean): ChainLink {
  const link = objectOf(trigger);
  if (!isMatching(trigger, cluster))
    return fleet.clusters.find(cluster)?.ready === true
      ? mismatchLink(trigger, fleet.clusters.find(cluster))
      : waitingLink(link, `it waits for cluster ${cluster.namespace}/${cluster.name}`);
  const info = listAt(trigger, "status.clusterInfo").find((each) => isFor(fieldsAt(each, "cluster"), cluster));
  const status = stringAt(info, "status", "");
  // The failures of what it has generated are links of their own.
  const lines = stringAt(info, "failureMessage", "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("ClusterSummary "));
  if (lines.length === 0) return conditionTrouble(trigger) ?? okLink(link);
  const message = lines.join("\n");
  if (!status.startsWith("Failed")) return waitingLink(link, message);
  // What to do about an EventSource that fails is said there. One that the trigger may not use is fine itself.
  const isTold = !isSourceOk && lines.every((line) => line.startsWith("EventSource "));
  return isTold ? { object: link, state: "broken", message } : brokenLink(link, message);
}

function isFor(reference: Parameters<typeof clusterReferredTo>[0], cluster: ClusterId): boolean {
  const found = clusterReferredTo(reference);
  return found !== undefined && isSameId(found, cluster);
}
