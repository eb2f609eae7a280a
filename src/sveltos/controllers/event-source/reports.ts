import type { Match } from "../../evaluate/index.ts";
import { readReport } from "../../report/index.ts";
import type { Change } from "../../instantiate/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Cluster } from "../../../kube/index.ts";
import { fieldsAt, refOf, type KubeObject } from "../../../core/object/index.ts";

/** What matched according to a report. One whose resources cannot be read still names them. */
export function lastMatches(report: KubeObject | undefined): readonly Match[] {
  if (report === undefined) return [];
  try {
    return readReport(report).matches;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { resources: _unreadable, ...spec } = fieldsAt(report, "spec");
    return readReport({ ...report, spec }).matches;
  }
}

/**
 * Puts a report in the place of the one that is there, if one is. Undefined when somebody else was quicker, of which we
 * shall hear.
 */
export async function writeReport(
  cluster: Cluster,
  there: KubeObject | undefined,
  wanted: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  return await unlessOvertaken(() => {
    if (there === undefined) return cluster.create(wanted, { signal });
    const { managedFields: _left, ...metadata } = there.metadata;
    const labels = { ...metadata.labels, ...wanted.metadata.labels };
    return cluster.replace({ ...there, metadata: { ...metadata, labels }, spec: wanted["spec"] }, { signal });
  });
}

/** Carries out one step of a plan; answers what is there then. Undefined for what is gone, or what somebody else was quicker with. */
export async function perform(cluster: Cluster, change: Change, signal: AbortSignal): Promise<KubeObject | undefined> {
  switch (change.verb) {
    case "create":
      return await unlessOvertaken(() => cluster.create(change.object, { signal }));
    case "update":
      return await unlessOvertaken(() => cluster.replace(change.object, { signal }));
    case "delete": {
      const preconditions = change.uid === undefined ? {} : { preconditions: { uid: change.uid } };
      return await unlessOvertaken(() => cluster.delete(change.ref, { ...preconditions, signal }));
    }
  }
}

/** Writes fields of a status over the object as it was seen; null takes one away. Undefined when it has changed since. */
export async function patchStatus(
  cluster: Cluster,
  object: KubeObject,
  status: object,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { resourceVersion } = object.metadata;
  const patch = { type: "merge", patch: { metadata: { resourceVersion }, status } } as const;
  return await unlessOvertaken(() => cluster.patch(refOf(object), patch, { subresource: "status", signal }));
}

async function unlessOvertaken<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return undefined;
    throw error;
  }
}
