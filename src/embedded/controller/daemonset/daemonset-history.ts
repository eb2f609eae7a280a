import { fieldsAt, numberAt, type KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { alreadyExistsError } from "../../status-error.ts";
import {
  controllerRevisions,
  createRevision,
  newRevision,
  revisionNumberOf,
  renumber,
  hasRevisionData,
  templateData,
} from "../history/index.ts";
import { controllerManager } from "../owner/index.ts";
import { templateHash } from "../pod/index.ts";
import { daemonSets } from "./daemon-sync.ts";
import { hashLabel, templateHashOf } from "./daemon-pod-template.ts";

// Models pkg/controller/daemon/update.go constructHistory, snapshot and cleanupHistory

/** The revision of the set's template, created or renumbered if needed, and the others. `known` is sorted oldest first. */
export function constructHistory(
  api: ApiClient,
  set: KubeObject,
  known: readonly KubeObject[],
): { current: KubeObject; old: readonly KubeObject[] } {
  const data = templateData(set);
  const current = known.findLast((revision) => hasRevisionData(revision, data));
  const old = known.filter((revision) => revision !== current);
  const next = 1 + old.reduce((most, revision) => Math.max(most, revisionNumberOf(revision)), 0);
  if (current === undefined) return { current: snapshot(api, set, next), old };
  return { current: revisionNumberOf(current) < next ? renumber(api, current, next) : current, old };
}

/** A name that another template has counts as a collision; the next sync tries another. */
function snapshot(api: ApiClient, set: KubeObject, number: number): KubeObject {
  const collisions = numberAt(set, "status.collisionCount");
  const revision = newRevision(set, number, templateHash(fieldsAt(set, "spec.template"), collisions), hashLabel);
  const made = createRevision(api, revision);
  if (made !== undefined) return made;
  api.updateStatus(
    daemonSets,
    { ...set, status: { ...fieldsAt(set, "status"), collisionCount: (collisions ?? 0) + 1 } },
    controllerManager,
  );
  throw alreadyExistsError({ group: "apps", plural: "controllerrevisions" }, revision.metadata.name);
}

export function cleanupHistory(api: ApiClient, set: KubeObject, old: readonly KubeObject[], pods: readonly KubeObject[]): void {
  let tooMany = old.length - numberAt(set, "spec.revisionHistoryLimit", 10);
  if (tooMany <= 0) return;
  const live = new Set(pods.map(templateHashOf));
  for (const revision of old) {
    if (tooMany <= 0) return;
    if (live.has(templateHashOf(revision))) continue;
    api.delete(controllerRevisions, revision.metadata.namespace ?? "", revision.metadata.name);
    tooMany--;
  }
}
