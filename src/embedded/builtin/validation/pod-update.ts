import { fieldsAt, listAt, mapAt, numberAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { changedItems, isSemanticDeepEqual, withField, withoutFields } from "../field-edits.ts";
import { checkEach, checkInRange, stringField } from "./field-checks.ts";
import { goDiff } from "./go-value.ts";
import { validateImagePadding } from "./pod.ts";
import { validateTolerationUpdate } from "./scheduling.ts";

// Models pkg/apis/core/validation/validation.go ValidatePodUpdate

const mostSeconds = 2 ** 31 - 1;
const updatable =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** The lists of containers keep their length; `stop` ends the validation. */
function containerUpdates(spec: Fields, live: Fields): { readonly errors: readonly FieldError[]; readonly stop: boolean } {
  const errors: FieldError[] = [];
  for (const name of ["containers", "initContainers"]) {
    if (listAt(spec, name).length !== listAt(live, name).length) {
      return { errors: [...errors, fieldForbidden(`spec.${name}`, "pod updates may not add or remove containers")], stop: true };
    }
    errors.push(
      ...checkEach(spec, name, "spec", (container, at) => [
        ...(stringField(container, "image") === "" ? [fieldRequired(`${at}.image`)] : []),
        ...validateImagePadding(container, at),
      ]),
    );
  }
  return { errors, stop: false };
}

function deadline(spec: Fields, live: Fields): { readonly errors: readonly FieldError[]; readonly stop: boolean } {
  const [after, before] = [numberAt(spec, "activeDeadlineSeconds"), numberAt(live, "activeDeadlineSeconds")];
  const path = "spec.activeDeadlineSeconds";
  if (after === undefined) {
    const gone = before === undefined ? [] : [fieldInvalid(path, null, "must not update from a positive integer to nil value")];
    return { errors: gone, stop: false };
  }
  const range = checkInRange(after, path, 0, mostSeconds);
  const later =
    range.length === 0 && before !== undefined && before < after
      ? [fieldInvalid(path, after, "must be less than or equal to previous value")]
      : [];
  return { errors: [...range, ...later], stop: range.length + later.length > 0 };
}

function newGates(spec: Fields, live: Fields): readonly FieldError[] {
  const known = new Set(listAt(live, "schedulingGates").map((gate) => stringField(gate, "name")));
  return checkEach(spec, "schedulingGates", "spec", (gate, at) => {
    const name = stringField(gate, "name");
    return known.has(name) ? [] : [fieldForbidden(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

function withImagesOf(spec: Fields, live: Fields, name: string): Fields {
  const images = listAt(live, name).map((container) => container["image"]);
  let index = -1;
  return changedItems(spec, name, (container) => {
    index += 1;
    return withField(container, "image", images[index]);
  });
}

/** The new spec with all mutable fields reset to their live values. */
function comparable(spec: Fields, live: Fields): Fields {
  const images = withImagesOf(withImagesOf(spec, live, "containers"), live, "initContainers");
  const free = ["activeDeadlineSeconds", "schedulingGates", "tolerations"].reduce(
    (fields, name) => withField(fields, name, live[name]),
    images,
  );
  const stopped = numberAt(live, "terminationGracePeriodSeconds", 0) < 0 && free["terminationGracePeriodSeconds"] === 1;
  return stopped ? withField(free, "terminationGracePeriodSeconds", live["terminationGracePeriodSeconds"]) : free;
}

/** The node selection of a gated Pod may still be narrowed. */
function gated(spec: Fields, live: Fields): { readonly errors: readonly FieldError[]; readonly spec: Fields } {
  const [after, before] = [mapAt(spec, "nodeSelector"), mapAt(live, "nodeSelector")];
  const kept = Object.entries(before).every(([key, value]) => after[key] === value);
  const lost = fieldInvalid("spec.nodeSelector", after, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
  const near = withField(
    withoutFields(fieldsAt(spec, "affinity"), "nodeAffinity"),
    "nodeAffinity",
    fieldsAt(live, "affinity")["nodeAffinity"],
  );
  const affinity = Object.keys(near).length === 0 ? undefined : near;
  return { errors: kept ? [] : [lost], spec: withField(withField(spec, "nodeSelector", live["nodeSelector"]), "affinity", affinity) };
}

export function validatePodUpdate(pod: KubeObject, live: KubeObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(pod, "spec"), fieldsAt(live, "spec")];
  const containers = containerUpdates(spec, before);
  if (containers.stop) return containers.errors;
  const time = deadline(spec, before);
  const errors = [...containers.errors, ...time.errors];
  if (time.stop) return errors;
  const limits = [...errors, ...validateTolerationUpdate(spec, before, "spec"), ...newGates(spec, before)];
  if (isSemanticDeepEqual(spec, before)) return limits;
  const wanted = comparable(spec, before);
  const open = listAt(before, "schedulingGates").length > 0 ? gated(wanted, before) : { errors: [], spec: wanted };
  if (isSemanticDeepEqual(open.spec, before)) return [...limits, ...open.errors];
  const difference = goDiff(before, open.spec, "core.PodSpec");
  return [...limits, ...open.errors, fieldForbidden("spec", `pod updates may not change fields other than ${updatable}\n${difference}`)];
}
