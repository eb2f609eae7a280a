import { fieldsAt, isFields, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { UserInfo } from "../../authentication/index.ts";
import { isDeepEqual, isSemanticDeepEqual, withoutFields, withField } from "../field-edits.ts";

/** What a preparation knows of its write: the server's time, in RFC 3339 with seconds, and who writes (a component of the cluster, if nobody). */
export type WriteTime = {
  readonly now: string;
  readonly user?: UserInfo | undefined;
  readonly newUid?: (() => string) | undefined;
  /** Who hears warnings. */
  readonly warn?: ((message: string) => void) | undefined;
};

export function withGeneration(object: KubeObject, generation: number): KubeObject {
  return object.metadata.generation === generation ? object : { ...object, metadata: { ...object.metadata, generation } };
}

/** The empty status of a kind as its Go type encodes it. */
export function withStatus(object: KubeObject, status: Fields): KubeObject {
  return isDeepEqual(object["status"], status) ? object : { ...object, status };
}

/** Keeps the status of `live`, whatever the request contains. */
export function keepStatus(object: KubeObject, live: KubeObject): KubeObject {
  return Object.hasOwn(live, "status") ? withField(object, "status", live["status"]) : withoutFields(object, "status");
}

/** The generation of `live`, or the next one when one of `fields` changed. */
export function bumpGenerationOnChange(object: KubeObject, live: KubeObject, fields: readonly string[]): KubeObject {
  const same = fields.every((name) => isSemanticDeepEqual(object[name], live[name]));
  return same ? object : withGeneration(object, (live.metadata.generation ?? 0) + 1);
}

/** A client never sets the generation. Models apiserver pkg/registry/rest/update.go BeforeUpdate */
export function keepGeneration(object: KubeObject, live: KubeObject): KubeObject {
  const { generation } = live.metadata;
  if (object.metadata.generation === generation) return object;
  return {
    ...object,
    metadata: generation === undefined ? withoutFields(object.metadata, "generation") : { ...object.metadata, generation },
  };
}

/** A write to /status: only the status and the metadata change. */
export function takeStatusOnly(object: KubeObject, live: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status } = object;
  const kept = Object.fromEntries(Object.entries(live).filter(([name]) => name !== "status"));
  const written = { ...kept, apiVersion, kind, metadata };
  return keepGeneration(isFields(status) ? { ...written, status } : written, live);
}

const resetByStatus = ["deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "labels", "annotations", "ownerReferences"];

/** Models apimachinery metav1 ResetObjectMetaForStatus: keeps the metadata of `live`, too. */
export function keepMetadata(object: KubeObject, live: KubeObject): KubeObject {
  const before = fieldsAt(live, "metadata");
  const metadata = resetByStatus.reduce((result, name) => withField(result, name, before[name]), object.metadata);
  return metadata === object.metadata ? object : { ...object, metadata };
}
