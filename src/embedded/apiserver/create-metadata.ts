import type { KubeObject } from "../../core/object/index.ts";
import { alreadyExistsError, generatedNameConflict, StatusError } from "../status-error.ts";
import { generateName, generateUid } from "./generate-name.ts";
import type { ServedResource } from "./served-resource.ts";

/** A new object with what the server alone sets. Models apiserver pkg/registry/rest/create.go BeforeCreate and meta.go FillObjectMetaSystemFields */
export function withSystemMetadata({ metadata, ...rest }: KubeObject, random: () => number, creationTimestamp: string): KubeObject {
  const { resourceVersion: _sent, deletionTimestamp: _never, deletionGracePeriodSeconds: _grace, ...kept } = metadata;
  const name = metadata.name || (metadata.generateName ? generateName(metadata.generateName, random) : "");
  return { ...rest, metadata: { ...kept, name, uid: generateUid(random), creationTimestamp } } as KubeObject;
}

/** The error of a name that is taken. Models apiserver pkg/registry/generic/registry/store.go Create */
export function nameConflict(resource: ServedResource, { metadata: { name, generateName } }: KubeObject, taken: KubeObject): StatusError {
  const { status } = generateName ? generatedNameConflict(resource, name) : alreadyExistsError(resource, name);
  const message = taken.metadata.deletionTimestamp === undefined ? status.message : `object is being deleted: ${status.message}`;
  return new StatusError(status.code, status.reason ?? "", message ?? "", status.details);
}

/** A dry run shows the version that was sent, since none is given. */
export function withVersionOf(created: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject {
  return resourceVersion ? { ...created, metadata: { ...created.metadata, resourceVersion } } : created;
}
