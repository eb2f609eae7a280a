import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, type FieldError } from "../field-error.ts";
import { isSemanticDeepEqual, isUnset, withField } from "./field-edits.ts";
import { qosClassOf } from "./pod-resources.ts";
import type { SubresourceStrategy } from "./pod-subresources.ts";
import { bumpGenerationOnChange } from "./prepare/generation-and-status.ts";
import { checkEach, stringField } from "./validation/field-checks.ts";
import { validateCoreObjectMetaUpdate } from "./validation/object-meta.ts";
import { validatePodAnnotationUpdates } from "./validation/pod-annotations.ts";
import { validatePodMetaAndSpec } from "./validation/pod.ts";

const lists = ["containers", "initContainers"] as const;
const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Only the resources of containers change. Models pkg/registry/core/pod/strategy.go podResizeStrategy */
export const podResize: SubresourceStrategy = {
  prepare: (object, live) => {
    const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
    // Validation refuses what adds or removes a container.
    if (lists.some((name) => listAt(spec, name).length !== listAt(before, name).length)) return object;
    const resized = lists.reduce((kept, name) => withField(kept, name, resizedContainers(spec, before, name)), before);
    const { managedFields } = object.metadata;
    const metadata = managedFields === undefined ? live.metadata : { ...live.metadata, managedFields };
    return bumpGenerationOnChange({ ...live, metadata, spec: resized }, live, ["spec"]);
  },
  validate: (object, live) => {
    if (live.metadata.annotations?.[mirrorAnnotation] !== undefined) return [fieldForbidden("[]", "static pods cannot be resized")];
    if (stringAt(live, "spec.os.name") === "windows") return [fieldForbidden("[]", "windows pods cannot be resized")];
    const errors = [
      ...validateCoreObjectMetaUpdate(object, live),
      ...validatePodMetaAndSpec(object),
      ...validatePodAnnotationUpdates(object, live),
      ...validateNode(object, live),
    ];
    const [spec, before] = [fieldsAt(object, "spec"), fieldsAt(live, "spec")];
    if (hasPodLevelResources(spec) || hasPodLevelResources(before)) return [...errors, podLevelForbidden];
    const misplaced = validateOrder(spec, before);
    if (misplaced.length > 0) return [...errors, ...misplaced];
    const found = [...errors, ...validateKept(spec, before), ...validateContainers(spec, before)];
    const others = withField(withField(spec, "containers", before["containers"]), "initContainers", before["initContainers"]);
    return found.length > 0 || isSemanticDeepEqual(others, before) ? found : [fieldForbidden("spec", onlyComputeResources)];
  },
};

const onlyComputeResources = "only cpu and memory resources are mutable";
const podLevelForbidden = fieldForbidden(
  "[]",
  "resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled",
);

/** The containers of the live pod with the new resources, or the new ones where a name or the order differs. */
function resizedContainers(spec: Fields, live: Fields, list: string): unknown {
  const [after, before] = [listAt(spec, list), listAt(live, list)];
  if (after.some((container, index) => container["name"] !== before[index]?.["name"])) return spec[list];
  const resized = before.map((container, index) =>
    ["resources", "resizePolicy"].reduce((kept, name) => withField(kept, name, after[index]?.[name]), container),
  );
  return resized.length === 0 ? live[list] : resized;
}

function validateNode(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const qosClass = stringAt(live, "status.qosClass") ?? qosClassOf(live["spec"]);
  const running = listAt(live, "status.containerStatuses").find((status) => !isUnset(fieldsAt(status, "state")["running"]));
  const isSupported = running === undefined || !isUnset(running["resources"]);
  return [
    ...(qosClass === qosClassOf(object["spec"])
      ? []
      : [fieldInvalid("spec", stringAt(object, "status.qosClass", ""), "Pod QOS Class may not change as a result of resizing")]),
    ...(isSupported ? [] : [fieldForbidden("spec", "Pod running on node without support for resize")]),
  ];
}

function hasPodLevelResources(spec: Fields): boolean {
  return ["requests", "limits"].some((list) => Object.keys(mapAt(spec, `resources.${list}`)).length > 0);
}

/** Models validatePodResizeContainerOrdering */
function validateOrder(spec: Fields, live: Fields): readonly FieldError[] {
  return lists.flatMap((list) => {
    const [after, before] = [listAt(spec, list), listAt(live, list)];
    if (after.length !== before.length) return [fieldForbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
    return before.flatMap((container, index) =>
      container["name"] === after[index]?.["name"]
        ? []
        : [fieldForbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
    );
  });
}

const isSidecar = (container: Fields): boolean => stringField(container, "restartPolicy") === "Always";

/** Requests and limits may change, and none may be removed. Models validateContainerResize */
function validateKept(spec: Fields, live: Fields): readonly FieldError[] {
  const removed = (list: string, filter: (container: Fields) => boolean): readonly FieldError[] => {
    const before = listAt(live, list);
    return checkEach(spec, list, "spec", (container, at, index) => {
      const old = before[index] ?? {};
      if (!filter(old)) return [];
      return ["requests", "limits"].flatMap((kind) => {
        const [left, had] = [mapAt(container, `resources.${kind}`), mapAt(old, `resources.${kind}`)];
        const isLost = Object.keys(had).some((name) => !Object.hasOwn(left, name));
        return isLost ? [fieldForbidden(`${at}.resources.${kind}`, `resource ${kind} cannot be removed`)] : [];
      });
    });
  };
  return [...removed("initContainers", isSidecar), ...removed("containers", () => true)];
}

/** Nothing but cpu and memory changes, and nothing at all of an init container that ends. */
function validateContainers(spec: Fields, live: Fields): readonly FieldError[] {
  const changed = (list: string, objection: (container: Fields) => string): readonly FieldError[] =>
    listAt(spec, list).flatMap((container, index) => {
      const old = listAt(live, list)[index] ?? {};
      const mayResize = list === "containers" || isSidecar(container);
      const compared = mayResize ? withComputeResourcesOf(container, old) : container;
      return isSemanticDeepEqual(compared, old) ? [] : [fieldForbidden("spec", objection(container))];
    });
  return [
    ...changed("containers", () => onlyComputeResources),
    ...changed("initContainers", (container) =>
      isSidecar(container)
        ? "only cpu and memory resources for sidecar containers are mutable"
        : "resources for non-sidecar init containers are immutable",
    ),
  ];
}

/** A container with the cpu and memory of another one, and without claims. Models dropCPUMemoryResourcesFromContainer */
function withComputeResourcesOf(container: Fields, old: Fields): Fields {
  const list = (kind: string): Fields => {
    const { cpu: _cpu, memory: _memory, ...others } = mapAt(container, `resources.${kind}`);
    const { cpu, memory } = mapAt(old, `resources.${kind}`);
    return { ...others, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  };
  return { ...container, resources: { limits: list("limits"), requests: list("requests") } };
}
