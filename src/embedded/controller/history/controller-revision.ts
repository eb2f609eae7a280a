import { equal, fieldsAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { isStatusError } from "../../status-error.ts";
import { newControllerRef, claimObjects, controllerOf, controllerManager, ownerSelectorOf, type OrphanIndex } from "../owner/index.ts";

export const controllerRevisions = "controllerrevisions.apps";

/** The data of a revision: a patch that restores the template. */
export function templateData(owner: KubeObject): Fields {
  return { spec: { template: { ...fieldsAt(owner, "spec.template"), $patch: "replace" } } };
}

/** The template in a revision's data. */
export function templateIn(revision: KubeObject): Fields {
  const { $patch: _directive, ...template } = fieldsAt(revision, "data.spec.template");
  return template;
}

export function revisionNumberOf(revision: KubeObject): number {
  return numberAt(revision, "revision", 0);
}

export function hasRevisionData(revision: KubeObject, data: Fields): boolean {
  return equal(revision["data"], data);
}

/** The revisions of an owner, the oldest first; matching orphans are adopted. */
export function ownedRevisions(api: ApiClient, owner: KubeObject, orphans: OrphanIndex): KubeObject[] {
  const { uid = "", namespace = "" } = owner.metadata;
  const selector = ownerSelectorOf(owner);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const owned = api.ownedBy(uid).flatMap(({ resource, object }) => (resource === controllerRevisions ? [object] : []));
  const adopted = claimObjects({ api, owner, resource: controllerRevisions, matches }, [], orphans.in(namespace));
  return [...owned.filter((revision) => controllerOf(revision)?.uid === uid && matches(revision)), ...adopted].sort(byRevision);
}

function byRevision(a: KubeObject, b: KubeObject): number {
  const ageA = a.metadata.creationTimestamp ?? "";
  const ageB = b.metadata.creationTimestamp ?? "";
  return revisionNumberOf(a) - revisionNumberOf(b) || compare(ageA, ageB) || compare(a.metadata.name, b.metadata.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A new revision. The hash is part of its name and the value of its label `hashLabel`. */
export function newRevision(owner: KubeObject, revision: number, hash: string, hashLabel: string): KubeObject {
  const { namespace = "", name, annotations } = owner.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${name.slice(0, 223)}-${hash}`,
      namespace,
      labels: { ...mapAt(owner, "spec.template.metadata.labels"), [hashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [newControllerRef(owner)],
    },
    data: templateData(owner),
    revision,
  };
}

/** Creates a revision. An existing one with equal content is returned; one with other content is a collision: undefined. */
export function createRevision(api: ApiClient, revision: KubeObject): KubeObject | undefined {
  try {
    return api.create(controllerRevisions, revision, controllerManager);
  } catch (error) {
    if (!isStatusError(error, "AlreadyExists")) throw error;
    const { namespace = "", name } = revision.metadata;
    const taken = api.read(controllerRevisions, namespace, name);
    return taken !== undefined && equal(taken["data"], revision["data"]) ? taken : undefined;
  }
}

export function renumber(api: ApiClient, revision: KubeObject, number: number): KubeObject {
  return revisionNumberOf(revision) === number
    ? revision
    : api.update(controllerRevisions, { ...revision, revision: number }, controllerManager);
}

/** Deletes the oldest revisions beyond `limit` that no live object uses. */
export function truncateRevisions(api: ApiClient, revisions: readonly KubeObject[], live: ReadonlySet<string>, limit: number): void {
  const past = revisions.filter(({ metadata }) => !live.has(metadata.name));
  for (const { metadata } of past.slice(0, Math.max(0, past.length - limit))) {
    api.delete(controllerRevisions, metadata.namespace ?? "", metadata.name);
  }
}
