import { booleanAt, fieldsAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { filled } from "../field-edits.ts";
import {
  admissionForbidden,
  type AdmissionAttributes,
  type ValidatingPlugin,
  type MutatingPlugin,
  type AdmissionContext,
} from "./plugin.ts";

// Models plugin/pkg/admission/priority/admission.go

const classes = "priorityclasses.scheduling.k8s.io";

type Priority = { readonly name: string; readonly value: number; readonly policy: string | undefined };

/** Sets the priority of a new Pod from its PriorityClass or the default one; an update keeps the priority. */
export const admitPriority: MutatingPlugin = (pod, attributes, context) => {
  const spec = fieldsAt(pod, "spec");
  const next = attributes.operation === "CREATE" ? withPriority(spec, attributes, context) : keptFrom(spec, attributes.live);
  return next === spec ? pod : { ...pod, spec: next };
};

function keptFrom(spec: Fields, live: KubeObject | undefined): Fields {
  const { priority, preemptionPolicy } = fieldsAt(live, "spec");
  return filled(spec, { priority, preemptionPolicy });
}

function withPriority(spec: Fields, attributes: AdmissionAttributes, context: AdmissionContext): Fields {
  const { name, value, policy } = priorityOf(spec, attributes, context);
  const sent = { priority: numberAt(spec, "priority"), policy: stringAt(spec, "preemptionPolicy") };
  if (sent.priority !== undefined && sent.priority !== value) {
    throw admissionForbidden(attributes, `the integer value of priority (${sent.priority}) ${computedByAdmission} ${value} ${fromClass}`);
  }
  if (policy !== undefined && sent.policy !== undefined && sent.policy !== policy) {
    throw admissionForbidden(
      attributes,
      `the string value of PreemptionPolicy (${sent.policy}) ${computedByAdmission} ${policy} ${fromClass}`,
    );
  }
  const named = name === "" ? spec : { ...spec, priorityClassName: name };
  return { ...named, priority: value, ...(policy === undefined ? {} : { preemptionPolicy: policy }) };
}

const computedByAdmission = "must not be provided in pod spec; priority admission controller computed";
const fromClass = "from the given PriorityClass name";

function priorityOf(spec: Fields, attributes: AdmissionAttributes, context: AdmissionContext): Priority {
  const name = stringAt(spec, "priorityClassName", "");
  const found = name === "" ? defaultClass(context) : context.read(classes, "", name);
  if (found !== undefined) return { name: found.metadata.name, value: valueOf(found), policy: stringAt(found, "preemptionPolicy") };
  if (name !== "") throw admissionForbidden(attributes, `no PriorityClass with name ${name} was found`);
  return { name: "", value: 0, policy: "PreemptLowerPriority" };
}

function valueOf(found: KubeObject): number {
  return numberAt(found, "value", 0);
}

function defaultClass(context: AdmissionContext): KubeObject | undefined {
  const defaults = context.list(classes).filter((object) => booleanAt(object, "globalDefault"));
  return defaults.reduce<KubeObject | undefined>(
    (least, object) => (least === undefined || valueOf(object) < valueOf(least) ? object : least),
    undefined,
  );
}

/** Rejects a second default PriorityClass. */
export const validatePriorityClass: ValidatingPlugin = (attributes, context) => {
  const { operation, object } = attributes;
  if (operation === "DELETE" || !booleanAt(object, "globalDefault")) return;
  const present = defaultClass(context);
  if (present === undefined || (operation === "UPDATE" && present.metadata.name === object.metadata.name)) return;
  throw admissionForbidden(attributes, `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`);
};
