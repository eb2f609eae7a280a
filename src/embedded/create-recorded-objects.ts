import { listAt, fieldsAt, type KubeObject } from "../core/object/index.ts";
import { recordedBootstrapObjects } from "./data/index.ts";
import type { ObjectStorage } from "./storage/index.ts";

const keys: Readonly<Record<string, string>> = {
  APIService: "apiservices.apiregistration.k8s.io",
  FlowSchema: "flowschemas.flowcontrol.apiserver.k8s.io",
  PriorityLevelConfiguration: "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  ServiceCIDR: "servicecidrs.networking.k8s.io",
};

/**
 * Creates the APIServices, the configuration of priority and fairness and the range of services that every cluster has and this
 * one lacks. They are stored as a real server has them: a cluster must not start slower for them.
 */
export function createRecordedObjects(store: ObjectStorage, { time, newUid }: { time: string; newUid: () => string }): void {
  for (const object of recordedBootstrapObjects()) {
    const key = keys[object.kind] ?? "";
    if (store.read(key, "", object.metadata.name) !== undefined) continue;
    store.put(key, timed(object, time, newUid()));
  }
}

function timed(object: KubeObject, time: string, uid: string): KubeObject {
  const { managedFields = [], ...metadata } = object.metadata;
  const status = fieldsAt(object, "status");
  const conditions = listAt(status, "conditions").map((condition) => ({ ...condition, lastTransitionTime: time }));
  const managed = managedFields.map((entry) => ({ ...entry, time }));
  return {
    ...object,
    metadata: { ...metadata, uid, creationTimestamp: time, managedFields: managed },
    status: conditions.length === 0 ? status : { ...status, conditions },
  };
}
