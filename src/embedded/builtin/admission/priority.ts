import { booleanAt, fieldsAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { filled } from "../edit.ts";
import { forbidden, type Attempt, type Check, type Mutation, type Surroundings } from "./plugin.ts";

// Models plugin/pkg/admission/priority/admission.go

const classes = "priorityclasses.scheduling.k8s.io";

type Priority = { readonly name: string; readonly value: number; readonly policy: string | undefined };

/** Writes into a new Pod what its class, or the cluster's default, says of its priority; an old Pod keeps what it has. */
export const prioritize: Mutation = (pod, attempt, around) => {
  const spec = fieldsAt(pod, "spec");
  const next = attempt.operation === "CREATE" ? withPriority(spec, attempt, around) : keptFrom(spec, attempt.live);
  return next === spec ? pod : { ...pod, spec: next };
};

function keptFrom(spec: Fields, live: KubeObject | undefined): Fields {
  const { priority, preemptionPolicy } = fieldsAt(live, "spec");
  return filled(spec, { priority, preemptionPolicy });
}

function withPriority(spec: Fields, attempt: Attempt, around: Surroundings): Fields {
  const { name, value, policy } = priorityOf(spec, attempt, around);
  const sent = { priority: numberAt(spec, "priority"), policy: stringAt(spec, "preemptionPolicy") };
  if (sent.priority !== undefined && sent.priority !== value) {
    throw forbidden(attempt, `the integer value of priority (${sent.priority}) ${notYours} ${value} ${fromClass}`);
  }
  if (policy !== undefined && sent.policy !== undefined && sent.policy !== policy) {
    throw forbidden(attempt, `the string value of PreemptionPolicy (${sent.policy}) ${notYours} ${policy} ${fromClass}`);
  }
  const named = name === "" ? spec : { ...spec, priorityClassName: name };
  return { ...named, priority: value, ...(policy === undefined ? {} : { preemptionPolicy: policy }) };
}

const notYours = "must not be provided in pod spec; priority admission controller computed";
const fromClass = "from the given PriorityClass name";

function priorityOf(spec: Fields, attempt: Attempt, around: Surroundings): Priority {
  const name = stringAt(spec, "priorityClassName", "");
  const found = name === "" ? defaultClass(around) : around.read(classes, "", name);
  if (found !== undefined) return { name: found.metadata.name, value: valueOf(found), policy: stringAt(found, "preemptionPolicy") };
  if (name !== "") throw forbidden(attempt, `no PriorityClass with name ${name} was found`);
  return { name: "", value: 0, policy: "PreemptLowerPriority" };
}

function valueOf(found: KubeObject): number {
  return numberAt(found, "value", 0);
}

function defaultClass(around: Surroundings): KubeObject | undefined {
  const defaults = around.list(classes).filter((object) => booleanAt(object, "globalDefault"));
  return defaults.reduce<KubeObject | undefined>(
    (least, object) => (least === undefined || valueOf(object) < valueOf(least) ? object : least),
    undefined,
  );
}

/** There is one default at most. */
export const onlyOneDefaultPriority: Check = (attempt, around) => {
  const { operation, object } = attempt;
  if (operation === "DELETE" || !booleanAt(object, "globalDefault")) return;
  const present = defaultClass(around);
  if (present === undefined || (operation === "UPDATE" && present.metadata.name === object.metadata.name)) return;
  throw forbidden(attempt, `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`);
};
