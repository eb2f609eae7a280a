import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { revisionIn } from "../../release/record/index.ts";
import type { OverviewRelease } from "../api/index.ts";

/** States that need no word: nothing of their records is read but the labels. */
const isSettled = (state: string) => state === "deployed" || state === "superseded" || state === "uninstalled";

/** A record without its content, which a list of releases does not show; of one that is not deployed, what it says of itself. */
export function withoutContent(record: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = record;
  const { name, namespace = "", uid = "", resourceVersion = "", labels = {}, creationTimestamp = "" } = metadata;
  const because = isSettled(labels["status"] ?? "") ? undefined : revisionIn(record)?.description;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, labels, creationTimestamp },
    ...(because === undefined ? {} : { because }),
  };
}

/** What is shown of a record that has no content any more; undefined for what is no record. */
export function releaseItemOf(record: KubeObject): OverviewRelease | undefined {
  const { namespace = "", labels = {}, creationTimestamp = "" } = record.metadata;
  const { name, version, status: state = "unknown", modifiedAt, createdAt } = labels;
  const revision = Number(version);
  if (name === undefined || !Number.isInteger(revision) || revision < 1) return undefined;
  const seconds = Number(modifiedAt ?? createdAt);
  const because = stringAt(record, "because");
  return {
    type: "release",
    namespace,
    name,
    revision,
    state,
    updatedAtMs: Number.isFinite(seconds) ? seconds * 1000 : Date.parse(creationTimestamp) || 0,
    ...(because === undefined || because === "" ? {} : { because }),
  };
}
