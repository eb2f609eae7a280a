import { equal, type KubeObject } from "../../core/object/index.ts";
import { validateFinalizers } from "../builtin/index.ts";
import { modifiedError, StatusError } from "../status-error.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import type { ServedResource } from "./served-resource.ts";
import { uidConflict } from "./uid-precondition.ts";
import type { ApiServerWriteOptions } from "./write-options.ts";

/** Models apiserver pkg/registry/generic/registry/store.go Update: a write that names a revision must name the latest. */
export function checkCurrent(
  resource: ServedResource,
  live: KubeObject,
  next: KubeObject,
  { user }: Pick<ApiServerWriteOptions, "user">,
): void {
  const { resourceVersion, uid } = next.metadata;
  // A component means the object that it has read. The uid of a client's PUT was compared before, that of a patch is validated.
  if (user === undefined && uid && uid !== live.metadata.uid) throw uidConflict(resource, live.metadata, uid);
  checkVersion(resourceVersion);
  if (resourceVersion === undefined || /^0*$/.test(resourceVersion)) return;
  if (resourceVersion !== live.metadata.resourceVersion) throw modifiedError(resource, live.metadata.name);
}

/** Adds what is wrong with finalizers and uids of any kind. Models apiserver pkg/registry/rest/update.go validateCommonFields */
export function withCommonErrors(
  live: KubeObject,
  { metadata: { uid, finalizers } }: KubeObject,
  errors: readonly FieldError[],
): readonly FieldError[] {
  const ofFinalizers = validateFinalizers(finalizers ?? [], "metadata.finalizers").filter(
    (error) => !errors.some((each) => equal(each, error)),
  );
  const ofUid = uid && uid !== live.metadata.uid ? [fieldInvalid("metadata.uid", uid, "field is immutable")] : [];
  const common = [...ofFinalizers, ...ofUid];
  if (common.length === 0) return errors;
  // Metadata are judged as in a create first, and then once more as in an update.
  const isLater = (error: FieldError, index: number) =>
    !error.field.startsWith("metadata.") || errors.slice(0, index).some((each) => equal(each, error));
  const later = errors.findIndex(isLater);
  return errors.toSpliced(later < 0 ? errors.length : later, 0, ...common);
}

/** Models apiserver pkg/storage APIObjectVersioner: a version is a number, and the error of another has no reason. */
export function checkVersion(version = ""): void {
  if (version === "") return;
  const problem = !/^\d+$/.test(version) ? "invalid syntax" : BigInt(version) >= 1n << 64n ? "value out of range" : undefined;
  if (problem !== undefined) throw new StatusError(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: ${problem}`);
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
