import type { Match } from "../../evaluate/index.ts";
import { findParts, reportAnnotationKeys, readEventReport, refsOf } from "../../report/index.ts";
import { deleteChangeOf, type DesiredChange } from "../../instantiate/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Cluster } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";

/** The matches of a report with its parts. A part with unreadable resources still names its matches. */
export function lastMatches(report: KubeObject | undefined, find: (name: string) => KubeObject | undefined): readonly Match[] {
  return report === undefined ? [] : findParts(report, find).parts.flatMap(([, part]) => matchesIn(part));
}

function matchesIn(part: KubeObject): readonly Match[] {
  try {
    return readEventReport(part).matches;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return refsOf(part).map((ref) => ({ ref, message: "" }));
  }
}

/** Creates a report or replaces the existing one. Undefined on a conflict: the change that caused it requeues the key. */
export async function writeReport(
  cluster: Cluster,
  existing: KubeObject | undefined,
  wanted: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  return await ignoringConflicts(() => {
    if (existing === undefined) return cluster.create(wanted, { signal });
    const { managedFields: _left, ...metadata } = existing.metadata;
    const labels = { ...metadata.labels, ...wanted.metadata.labels };
    const annotations = { ...withoutOwnAnnotations(metadata.annotations), ...wanted.metadata.annotations };
    const hasAnnotations = metadata.annotations !== undefined || Object.keys(annotations).length > 0;
    return cluster.replace(
      { ...existing, metadata: { ...metadata, labels, ...(hasAnnotations && { annotations }) }, spec: wanted["spec"] },
      { signal },
    );
  });
}

function withoutOwnAnnotations(annotations: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !reportAnnotationKeys.includes(key)));
}

/** Applies one change of a plan. Gives the object after it; undefined when it is deleted, or on a conflict. */
export async function applySourceChange(cluster: Cluster, change: DesiredChange, signal: AbortSignal): Promise<KubeObject | undefined> {
  switch (change.verb) {
    case "create":
      return await ignoringConflicts(() => cluster.create(change.object, { signal }));
    case "update":
      return await ignoringConflicts(() => cluster.replace(change.object, { signal }));
    case "delete": {
      const preconditions = change.uid === undefined ? {} : { preconditions: { uid: change.uid } };
      return await ignoringConflicts(() => cluster.delete(change.ref, { ...preconditions, signal }));
    }
  }
}

/** Deletes reports or parts of them, except for those that are being deleted. */
export async function deleteReports(cluster: Cluster, reports: readonly KubeObject[], signal: AbortSignal): Promise<void> {
  const left = reports.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  await Promise.all(left.map((report) => applySourceChange(cluster, deleteChangeOf(report), signal)));
}

/** Patches the status of an object at the given resourceVersion; null removes a field. Undefined on a conflict. */
export async function patchStatus(
  cluster: Cluster,
  object: KubeObject,
  status: object,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { resourceVersion } = object.metadata;
  const patch = { type: "merge", patch: { metadata: { resourceVersion }, status } } as const;
  return await ignoringConflicts(() => cluster.patch(refOf(object), patch, { subresource: "status", signal }));
}

async function ignoringConflicts<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return undefined;
    throw error;
  }
}
