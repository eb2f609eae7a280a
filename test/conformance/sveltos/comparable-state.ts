import { decodeResources } from "../../../src/sveltos/report/index.ts";
import { isFields, stringAt, type Fields, type KubeObject } from "../../../src/core/object/index.ts";
import type { FleetState } from "./recorded-scenario.ts";

/** Fields that the server sets; they are not compared. */
const setByServer = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "selfLink",
  "deletionGracePeriodSeconds",
]);
const addresses = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);
/** Added to Services by a cloud's controllers, which no recorded cluster had. */
const finalizerOfCloud = "service.kubernetes.io/load-balancer-cleanup";
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const nameOfReplicaSet = /(ReplicaSet "[^"]*-)[a-z0-9]{5,10}"/g;
const versionInText = /(resourceVersion: )"\d+"/g;

/**
 * A state without what differs from run to run (fields that the server sets, times, addresses), and with the resources of
 * EventReports decoded.
 */
export function comparableState(state: FleetState): FleetState {
  return Object.fromEntries(Object.entries(state).map(([cluster, objects]) => [cluster, objects.map(comparableObject)]));
}

export function comparableObject(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const finalizers = metadata.finalizers?.filter((finalizer) => finalizer !== finalizerOfCloud) ?? [];
  const kept = Object.entries({ ...metadata, finalizers }).filter(([key, value]) => !setByServer.has(key) && !isEmpty(value));
  const head = { apiVersion, kind, metadata: { ...plainFields(Object.fromEntries(kept)), name: metadata.name } };
  return { ...head, ...plainFields(ofKind(object, rest)) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function ofKind({ apiVersion, kind }: KubeObject, fields: Fields): Fields {
  const { spec, data, type, status } = fields;
  const resources = stringAt(spec, "resources");
  if (kind === "EventReport" && isFields(spec) && resources !== undefined) {
    return { ...fields, spec: { ...spec, resources: decodeResources(resources).map(comparableObject) } };
  }
  // The status of a workload contains its generation, which is not compared. That of our kinds is.
  if (apiVersion.startsWith("apps/") && isFields(status)) return { ...fields, status: { ...status, observedGeneration: undefined } };
  // The record contains only the size of a release.
  if (kind === "Secret" && type === "helm.sh/release.v1" && isFields(data)) return { ...fields, data: { ...data, release: "<release>" } };
  return fields;
}

function plainFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plainValue(value, key)]));
}

function plainValue(value: unknown, key: string): unknown {
  if (addresses.has(key) && value !== "None" && value !== "") return "<address>";
  if (key === "modifiedAt") return "<time>";
  if (typeof value === "string") {
    return value.replace(time, "<time>").replace(nameOfReplicaSet, '$1<hash>"').replace(versionInText, '$1"<version>"');
  }
  if (Array.isArray(value)) return value.map((item) => plainValue(item, ""));
  return isFields(value) ? plainFields(value) : value;
}
