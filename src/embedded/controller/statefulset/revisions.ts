import { numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import {
  createRevision,
  truncateRevisions,
  newRevision,
  revisionNumberOf,
  renumber,
  hasRevisionData,
  templateData,
} from "../history/index.ts";
import { revisionHash } from "../pod/index.ts";

const hashLabel = "controller.kubernetes.io/hash";
const podRevisionLabel = "controller-revision-hash";

/** The current and the update revision; the same when no update is in progress. */
export type Revisions = { readonly current: KubeObject; readonly update: KubeObject; readonly collisionCount: number };

export function revisionLabel(revision: KubeObject): Readonly<Record<string, string>> {
  return { [podRevisionLabel]: revision.metadata.name };
}

/** The revision name in a Pod's labels. */
export function podRevision({ metadata }: KubeObject): string {
  return metadata.labels?.[podRevisionLabel] ?? "";
}

/**
 * Finds the revisions of a set, and creates one for a new template. A template that was used before gets its old
 * revision back, under a new number. `known` is sorted oldest first.
 *
 * Models pkg/controller/statefulset/stateful_set_control.go getStatefulSetRevisions
 */
export function syncRevisions(api: ApiClient, set: KubeObject, known: readonly KubeObject[]): Revisions {
  const data = templateData(set);
  const latest = known.at(-1);
  const equalOne = known.findLast((revision) => hasRevisionData(revision, data));
  const next = latest === undefined ? 1 : revisionNumberOf(latest) + 1;
  let collisionCount = numberAt(set, "status.collisionCount", 0);
  let update = equalOne === undefined || equalOne === latest ? equalOne : renumber(api, equalOne, next);
  while (update === undefined) {
    update = createRevision(api, newRevision(set, next, revisionHash(data, collisionCount), hashLabel));
    if (update === undefined) collisionCount++;
  }
  const name = stringAt(set, "status.currentRevision");
  return { current: known.find(({ metadata }) => metadata.name === name) ?? update, update, collisionCount };
}

/** Models pkg/controller/statefulset/stateful_set_control.go truncateHistory */
export function truncateHistory(
  api: ApiClient,
  set: KubeObject,
  known: readonly KubeObject[],
  revisions: Revisions,
  pods: readonly KubeObject[],
): void {
  const live = new Set([revisions.current.metadata.name, revisions.update.metadata.name, ...pods.map(podRevision)]);
  const limit = numberAt(set, "spec.revisionHistoryLimit", 10);
  if (limit >= 0) truncateRevisions(api, known, live, limit);
}
