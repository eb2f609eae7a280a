import type { KubeObject } from "../../core/object/index.ts";
import { modifiedError } from "../status-error.ts";
import type { ServedResource } from "./served-resource.ts";
import { uidConflict } from "./uid-precondition.ts";

/** Models apiserver pkg/registry/generic/registry/store.go Update: a write that names a revision must name the latest. */
export function checkCurrent(resource: ServedResource, live: KubeObject, next: KubeObject): void {
  const { resourceVersion, uid } = next.metadata;
  if (uid !== undefined && uid !== "" && uid !== live.metadata.uid) throw uidConflict(resource, live.metadata, uid);
  if (resourceVersion === undefined || /^0*$/.test(resourceVersion)) return;
  if (resourceVersion !== live.metadata.resourceVersion) throw modifiedError(resource, live.metadata.name);
}

/** Models apiserver pkg/registry/rest/update.go BeforeUpdate: a client cannot change the fields that only the server sets. */
export function keepSystemMetadata(live: KubeObject, next: KubeObject): KubeObject {
  if (next.metadata === live.metadata) return next;
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, generateName, resourceVersion } =
    live.metadata;
  const { deletionTimestamp: _time, deletionGracePeriodSeconds: _grace, generation: _generation, ...sent } = next.metadata;
  return {
    ...next,
    metadata: {
      ...(generateName === undefined ? {} : { generateName }),
      ...sent,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(generation === undefined ? {} : { generation }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    },
  };
}
