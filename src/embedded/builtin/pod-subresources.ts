import { fieldsAt, listAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { fieldForbidden, type FieldError } from "../field-error.ts";
import { isSemanticDeepEqual, withField } from "./field-edits.ts";
import { podResize } from "./pod-resize.ts";
import { bumpGenerationOnChange, type WriteTime } from "./prepare/generation-and-status.ts";
import { stringField } from "./validation/field-checks.ts";
import { goDiff } from "./validation/go-value.ts";
import { validatePodMetaAndSpec } from "./validation/pod.ts";

/** What a write to a subresource other than the status may change. */
export type SubresourceStrategy = {
  prepare(object: KubeObject, live: KubeObject, moment: WriteTime): KubeObject;
  validate(object: KubeObject, live: KubeObject): readonly FieldError[];
};

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Only the ephemeral containers change. Models pkg/registry/core/pod/strategy.go podEphemeralContainersStrategy */
const ephemeralContainers: SubresourceStrategy = {
  prepare: (object, live) => {
    const spec = withField(fieldsAt(live, "spec"), "ephemeralContainers", fieldsAt(object, "spec")["ephemeralContainers"]);
    const { managedFields } = object.metadata;
    const metadata = managedFields === undefined ? live.metadata : { ...live.metadata, managedFields };
    return bumpGenerationOnChange({ ...live, metadata, spec }, live, ["spec"]);
  },
  validate: (object, live) => {
    if (live.metadata.annotations?.[mirrorAnnotation] !== undefined)
      return [fieldForbidden("[]", "static pods do not support ephemeral containers")];
    return [...validatePodMetaAndSpec(object), ...validateKept(object, live)];
  },
};

/** Models pkg/apis/core/validation/validation.go ValidatePodEphemeralContainersUpdate */
function validateKept(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const path = "spec.ephemeralContainers";
  const after = new Map(listAt(object, path).map((container): [string, Fields] => [stringField(container, "name"), container]));
  return listAt(live, path).flatMap((container) => {
    const name = stringField(container, "name");
    const kept = after.get(name);
    const quoted = JSON.stringify(name);
    if (kept === undefined) return [fieldForbidden(path, `existing ephemeral containers ${quoted} may not be removed\n`)];
    if (isSemanticDeepEqual(container, kept)) return [];
    const difference = goDiff(container, kept, "core.EphemeralContainer");
    return [fieldForbidden(path, `existing ephemeral containers ${quoted} may not be changed\n${difference}`)];
  });
}

/** The server itself makes the change. Models pkg/registry/core/pod/storage/storage.go assignPod */
const binding: SubresourceStrategy = { prepare: (object) => object, validate: () => [] };

export const podSubresources: Readonly<Record<string, SubresourceStrategy>> = {
  ephemeralcontainers: ephemeralContainers,
  resize: podResize,
  binding,
};
