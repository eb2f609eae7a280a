import { Fault } from "../core/fault/index.ts";
import { groupVersionOf, refOf, titleOf, type KubeObject } from "../core/object/index.ts";
import { apiVersionFor, DecodeError, decodeObject, inVersion, resourcesOfCrd, storageApiVersionOf } from "./apiserver/index.ts";
import type { ResourceCatalog, ServedResource } from "./apiserver/index.ts";
import type { ObjectStorage } from "./storage/index.ts";

const crdKind = "CustomResourceDefinition";

/**
 * Stores objects of another cluster as they are, with their uids, times and statuses: a Deployment that ran for a week goes on
 * running. Only the types of their fields are checked, since another API server has checked the rest. Returns those whose kinds
 * are not served.
 */
export function restoreObjects(store: ObjectStorage, catalog: ResourceCatalog, objects: readonly KubeObject[]): readonly KubeObject[] {
  const [crds, others] = [objects.filter(({ kind }) => kind === crdKind), objects.filter(({ kind }) => kind !== crdKind)];
  const unserved: KubeObject[] = [];
  for (const object of [...crds, ...others]) {
    const resource = catalog.withKind(groupVersionOf(object.apiVersion).group, object.kind);
    if (resource === undefined) {
      unserved.push(object);
      continue;
    }
    checkTypes(object, resource);
    const stored = store.put(resource.key, inVersion(object, storageApiVersionOf(resource)));
    const versions = object.kind === crdKind ? resourcesOfCrd(stored) : [];
    if (versions.length > 0) catalog.addCustom(object.metadata.name, versions);
  }
  return unserved;
}

/** An object with other types than its kind has is no API server's. Controllers rely on them. */
function checkTypes(object: KubeObject, resource: ServedResource): void {
  const problem = decodeProblem(object, resource) ?? ownerProblem(object);
  if (problem !== undefined) throw new Fault(`take over ${titleOf(refOf(object))}`, problem, { final: true });
}

function decodeProblem(object: KubeObject, resource: ServedResource): string | undefined {
  if (object.apiVersion !== apiVersionFor(resource)) return undefined;
  try {
    decodeObject(resource, object, { fieldValidation: "Ignore" });
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
}

function ownerProblem({ metadata: { ownerReferences } }: KubeObject): string | undefined {
  const isWhole = (ownerReferences ?? []).every(({ apiVersion, kind, name, uid }) => [apiVersion, kind, name, uid].every(Boolean));
  return isWhole ? undefined : "an owner reference has no apiVersion, kind, name or uid";
}
