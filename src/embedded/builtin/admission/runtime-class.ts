import { fieldsAt, listAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isDeepEqual, withField } from "../field-edits.ts";
import { resourceQuantitiesAt } from "../pod-resources.ts";
import {
  admissionForbidden,
  type AdmissionAttributes,
  type ValidatingPlugin,
  type MutatingPlugin,
  type AdmissionContext,
} from "./plugin.ts";

// Models plugin/pkg/admission/runtimeclass/admission.go

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Sets the overhead and the scheduling constraints of the Pod's RuntimeClass. */
export const admitRuntimeClass: MutatingPlugin = (pod, attributes, context) => {
  if (attributes.operation !== "CREATE") return pod;
  const spec = fieldsAt(pod, "spec");
  const runtime = runtimeOf(spec, attributes, context);
  if (runtime === undefined) return pod;
  const next = withScheduling(withOverhead(spec, runtime, attributes), runtime, attributes);
  return next === spec ? pod : { ...pod, spec: next };
};

/** Rejects a Pod whose overhead differs from that of its RuntimeClass. */
export const validateRuntimeClass: ValidatingPlugin = (attributes, context) => {
  if (attributes.operation !== "CREATE") return;
  const spec = fieldsAt(attributes.object, "spec");
  const runtime = runtimeOf(spec, attributes, context);
  if (runtime?.["overhead"] !== undefined) {
    if (!sameOverhead(runtime, spec)) throw admissionForbidden(attributes, mismatch);
  } else if (spec["overhead"] !== undefined) {
    throw admissionForbidden(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  }
};

function runtimeOf(spec: Fields, attributes: AdmissionAttributes, context: AdmissionContext): KubeObject | undefined {
  const name = stringAt(spec, "runtimeClassName");
  if (name === undefined) return undefined;
  const found = context.read("runtimeclasses.node.k8s.io", "", name);
  if (found === undefined) throw admissionForbidden(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function withOverhead(spec: Fields, runtime: KubeObject, attributes: AdmissionAttributes): Fields {
  if (runtime["overhead"] === undefined) return spec;
  if (Object.keys(fieldsAt(spec, "overhead")).length > 0 && !sameOverhead(runtime, spec)) throw admissionForbidden(attributes, mismatch);
  return withField(spec, "overhead", fieldsAt(runtime, "overhead.podFixed"));
}

function sameOverhead(runtime: KubeObject, spec: Fields): boolean {
  const fixed = resourceQuantitiesAt(runtime, "overhead.podFixed");
  const own = resourceQuantitiesAt(spec, "overhead");
  return fixed.size === own.size && [...fixed].every(([name, { nano }]) => own.get(name)?.nano === nano);
}

function withScheduling(spec: Fields, runtime: KubeObject, attributes: AdmissionAttributes): Fields {
  if (runtime["scheduling"] === undefined) return spec;
  const own = mapAt(spec, "nodeSelector");
  const asked = mapAt(runtime, "scheduling.nodeSelector");
  const clash = Object.keys(asked).find((key) => own[key] !== undefined && own[key] !== asked[key]);
  if (clash !== undefined) {
    const [theirs, ours] = [
      `runtimeClass.scheduling.nodeSelector[${clash}] = ${asked[clash]}`,
      `pod.spec.nodeSelector[${clash}] = ${own[clash]}`,
    ];
    throw admissionForbidden(attributes, `conflict: ${theirs}; ${ours}`);
  }
  const nodeSelector = { ...own, ...asked };
  const tolerations = merged([...listAt(spec, "tolerations"), ...listAt(runtime, "scheduling.tolerations")]);
  const chosen = Object.keys(nodeSelector).length === 0 ? spec : { ...spec, nodeSelector };
  return tolerations.length === 0 ? chosen : { ...chosen, tolerations };
}

/** Leaves out tolerations that another one covers. Models pkg/util/tolerations MergeTolerations */
function merged(tolerations: readonly Fields[]): readonly Fields[] {
  const kept: Fields[] = [];
  for (const [index, toleration] of tolerations.entries()) {
    const before = kept.some((other) => covers(other, toleration));
    const after = tolerations.slice(index + 1).some((other) => !isDeepEqual(other, toleration) && covers(other, toleration));
    if (!before && !after) kept.push(toleration);
  }
  return kept;
}

function covers(wide: Fields, narrow: Fields): boolean {
  if (isDeepEqual(wide, narrow)) return true;
  const [all, some] = [partsOf(wide), partsOf(narrow)];
  const exists = all.operator === "Exists";
  if (some.key !== all.key && (all.key !== "" || !exists)) return false;
  if (some.effect !== all.effect && all.effect !== "") return false;
  if (all.effect === "NoExecute" && some.seconds > all.seconds) return false;
  return exists || (all.operator === "Equal" && some.operator === "Equal" && some.value === all.value);
}

function partsOf(toleration: Fields): { key: string; operator: string; value: string; effect: string; seconds: number } {
  return {
    key: stringAt(toleration, "key", ""),
    operator: stringAt(toleration, "operator", "Equal"),
    value: stringAt(toleration, "value", ""),
    effect: stringAt(toleration, "effect", ""),
    seconds: numberAt(toleration, "tolerationSeconds", Infinity),
  };
}
