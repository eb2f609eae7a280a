import { createHash } from "node:crypto";
import { stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { decodeRecording } from "./recording-codec.ts";
import type { Recording, RecordingSubject } from "./recording.ts";

/** Helm lists Secrets by the label `owner=helm`, so it does not see these, whatever their names. */
const secretType = "sluice.dev/recording.v1";
const typeLabel = "sluice.dev/recording";
const releaseLabel = "sluice.dev/release";
const revisionLabel = "sluice.dev/revision";
const operationLabel = "sluice.dev/operation";

/** The longest name of a Secret. */
const maxNameLength = 253;

/** Where a recording is stored. The garbage collector deletes it when its owner is gone. */
export type RecordingLocation = {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
};

/** The object that a recording lives and dies with: the record of a revision, or a ClusterSummary. */
export type RecordingOwner = { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };

/** Beside the record of a revision. The deletion of a release has no revision of its own. */
export function releaseLocation(
  { name, namespace, revision }: Extract<RecordingSubject, { type: "release" }>,
  operation: "deploy" | "delete",
): RecordingLocation {
  return {
    namespace,
    name: `sluice.recording.v1.${name}.v${revision}${operation === "delete" ? ".delete" : ""}`,
    labels: { [typeLabel]: "release", [releaseLabel]: name, [revisionLabel]: String(revision), [operationLabel]: operation },
  };
}

/** Beside the ClusterSummary: the latest deployment of one of its features. */
export function profileLocation(namespace: string, summary: string, feature: string): RecordingLocation {
  const name = `sluice.recording.v1.${summary}.${feature.toLowerCase()}`;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return {
    namespace,
    name: name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 11).replace(/[.-]+$/, "")}.${digest}`,
    labels: { [typeLabel]: "profile" },
  };
}

export function recordingRefOf({ namespace, name }: Pick<RecordingLocation, "namespace" | "name">): ObjectRef {
  return { group: "", version: "v1", kind: "Secret", namespace, name };
}

/** The label selector of the recordings of a release. */
export function recordingSelector(release: string): string {
  return `${typeLabel}=release,${releaseLabel}=${release}`;
}

export function recordingSecretOf({ namespace, name, labels }: RecordingLocation, owner: RecordingOwner, content: Buffer): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: secretType,
    metadata: { name, namespace, labels, ownerReferences: [owner] },
    data: { recording: content.toString("base64") },
  };
}

/** The revision and operation of a recording by its labels; undefined for any other Secret. */
export function revisionRecordedIn({
  metadata,
  ...object
}: KubeObject): { readonly revision: number; readonly isDeletion: boolean } | undefined {
  const { [revisionLabel]: revision, [operationLabel]: operation } = metadata.labels ?? {};
  if (stringAt(object, "type") !== secretType || !/^[1-9]\d*$/.test(revision ?? "")) return undefined;
  return { revision: Number(revision), isDeletion: operation === "delete" };
}

/** Throws a Fault that says what to do when it cannot be read. */
export function recordingIn(secret: KubeObject): Recording {
  const { name, namespace = "" } = secret.metadata;
  return decodeRecording(Buffer.from(stringAt(secret, "data.recording", ""), "base64"), `the recording secret/${name} in ${namespace}`);
}
