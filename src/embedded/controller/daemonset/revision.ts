import { fieldsAt, numberAt, type KubeObject } from "../../../core/object/index.ts";
import type { Api } from "../../api/index.ts";
import { alreadyExists } from "../../refusal.ts";
import { controllerRevisions, createRevision, newRevision, numberOf, renumber, sameData, templateData } from "../history/index.ts";
import { manager } from "../owner/index.ts";
import { templateHash } from "../pod/index.ts";
import { daemonSets } from "./set.ts";
import { hashLabel, hashOf } from "./template.ts";

// Models pkg/controller/daemon/update.go constructHistory, snapshot and cleanupHistory

/** The revision of the set's template, made or numbered anew if need be, and the others. `known` come oldest first. */
export function syncRevision(api: Api, set: KubeObject, known: readonly KubeObject[]): { current: KubeObject; old: readonly KubeObject[] } {
  const data = templateData(set);
  const current = known.findLast((revision) => sameData(revision, data));
  const old = known.filter((revision) => revision !== current);
  const next = 1 + old.reduce((most, revision) => Math.max(most, numberOf(revision)), 0);
  if (current === undefined) return { current: snapshot(api, set, next), old };
  return { current: numberOf(current) < next ? renumber(api, current, next) : current, old };
}

/** A name that is taken by another template is counted as a collision; the next round tries another. */
function snapshot(api: Api, set: KubeObject, number: number): KubeObject {
  const collisions = numberAt(set, "status.collisionCount");
  const revision = newRevision(set, number, templateHash(fieldsAt(set, "spec.template"), collisions), hashLabel);
  const made = createRevision(api, revision);
  if (made !== undefined) return made;
  api.updateStatus(daemonSets, { ...set, status: { ...fieldsAt(set, "status"), collisionCount: (collisions ?? 0) + 1 } }, manager);
  throw alreadyExists({ group: "apps", plural: "controllerrevisions" }, revision.metadata.name);
}

export function truncateHistory(api: Api, set: KubeObject, old: readonly KubeObject[], pods: readonly KubeObject[]): void {
  let tooMany = old.length - numberAt(set, "spec.revisionHistoryLimit", 10);
  if (tooMany <= 0) return;
  const live = new Set(pods.map(hashOf));
  for (const revision of old) {
    if (tooMany <= 0) return;
    if (live.has(hashOf(revision))) continue;
    api.delete(controllerRevisions, revision.metadata.namespace ?? "", revision.metadata.name);
    tooMany--;
  }
}
