import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  formatValue,
  fieldRequired,
  type FieldError,
} from "../../field-error.ts";
import { resourceQuantitiesAt } from "../pod-resources.ts";
import { checkOneOf, stringField } from "./field-checks.ts";
import { cidrErrors, parseCidr } from "./ip.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  formatErrors,
  notNegative,
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue, checkQualifiedName } from "./name-formats.ts";
import { validateResourceQuantity } from "./resource-requirements.ts";
import { taintEffects } from "./scheduling.ts";

// Models pkg/apis/core/validation: Namespace, Node, ServiceAccount; pkg/apis/scheduling: PriorityClass; pkg/apis/coordination: Lease

const namespaceMeta = { name: checkDnsLabel, namespaced: false };
const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function namespace(object: KubeObject): readonly FieldError[] {
  const finalizers = stringsAt(object, "spec.finalizers").flatMap((name) => [
    ...formatErrors(checkQualifiedName, "spec.finalizers", name),
    ...(name.includes("/") || standardFinalizers.has(name)
      ? []
      : [fieldInvalid("spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified")]),
  ]);
  return [...validateCoreObjectMeta(object, namespaceMeta), ...finalizers];
}

function namespacePhase(object: KubeObject): readonly FieldError[] {
  const phase = stringAt(object, "status.phase", "");
  const [expected, state] = object.metadata.deletionTimestamp === undefined ? ["Active", "empty"] : ["Terminating", "not empty"];
  return phase === expected ? [] : [fieldInvalid("status.Phase", phase, `may only be '${expected}' if \`deletionTimestamp\` is ${state}`)];
}

export const namespaceRules: KindRules = {
  create: namespace,
  update: (object, live) => [...namespace(object), ...validateCoreObjectMetaUpdate(object, live)],
  status: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...namespacePhase(object)],
};

const accountMeta = { name: checkDnsSubdomain, namespaced: true };

export const serviceAccountRules: KindRules = {
  create: (object) => validateCoreObjectMeta(object, accountMeta),
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...validateCoreObjectMeta(object, accountMeta)],
};

/** The server reports taints of the spec as metadata.taints. */
function taints(node: KubeObject): readonly FieldError[] {
  const seen = new Set<string>();
  return listAt(node, "spec.taints").flatMap((taint, index) => {
    const at = `metadata.taints[${index}]`;
    const problems = checkLabelValue(stringField(taint, "value"));
    const key = `${stringField(taint, "effect")}/${stringField(taint, "key")}`;
    const twice = seen.has(key);
    seen.add(key);
    const shown = {
      Key: stringField(taint, "key"),
      Value: stringField(taint, "value"),
      Effect: stringField(taint, "effect"),
      TimeAdded: taint["timeAdded"] ?? null,
    };
    const message = `Duplicate value: ${formatValue(shown)}: taints must be unique by key and effect pair`;
    return [
      ...formatErrors(checkQualifiedName, `${at}.key`, stringField(taint, "key")),
      ...(problems.length === 0 ? [] : [fieldInvalid(`${at}.value`, stringField(taint, "value"), problems.join(";"))]),
      ...checkOneOf(stringField(taint, "effect"), `${at}.effect`, taintEffects),
      ...(twice ? [{ ...fieldDuplicate(at, shown), message }] : []),
    ];
  });
}

function nodeResources(node: KubeObject): readonly FieldError[] {
  return ["capacity", "allocatable"].flatMap((list) =>
    [...resourceQuantitiesAt(node, `status.${list}`)].flatMap(([name, amount]) =>
      validateResourceQuantity(name, amount, `status.${list}.${name}`),
    ),
  );
}

function podRanges(node: KubeObject): readonly FieldError[] {
  const at = "spec.podCIDRs";
  const ranges = stringsAt(node, at);
  const families = new Set(ranges.map((range) => parseCidr(range)?.address.length));
  const crowded = ranges.length > 1 && (families.size < 2 || ranges.length > 2);
  return [
    ...ranges.flatMap((range, index) => cidrErrors(range, `${at}[${index}]`)),
    ...(crowded ? [fieldInvalid(at, ranges, "may specify no more than one CIDR for each IP family")] : []),
  ];
}

function node(object: KubeObject): readonly FieldError[] {
  return [
    ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: false }),
    ...taints(object),
    ...nodeResources(object),
    ...podRanges(object),
  ];
}

function nodeUpdate(object: KubeObject, live: KubeObject): readonly FieldError[] {
  const [ranges, before] = [stringsAt(object, "spec.podCIDRs"), stringsAt(live, "spec.podCIDRs")];
  const moved = fieldForbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid');
  const changes =
    before.length === 0 ? [] : before.length === ranges.length ? before.filter((range, index) => range !== ranges[index]) : [""];
  const provider = stringAt(live, "spec.providerID", "");
  const renamed = provider !== "" && provider !== stringAt(object, "spec.providerID", "");
  return [
    ...validateCoreObjectMetaUpdate(object, live),
    ...nodeResources(object),
    ...addresses(object),
    ...changes.map(() => moved),
    ...(renamed ? [fieldForbidden("spec.providerID", 'node updates may not change providerID except from "" to valid')] : []),
    ...taints(object),
  ];
}

function addresses(object: KubeObject): readonly FieldError[] {
  const seen = new Set<string>();
  return listAt(object, "status.addresses").flatMap((address, index) => {
    const shown = { Type: stringField(address, "type"), Address: stringField(address, "address") };
    const key = `${shown.Type}/${shown.Address}`;
    const twice = seen.has(key);
    seen.add(key);
    return twice ? [fieldDuplicate(`status.addresses[${index}]`, shown)] : [];
  });
}

export const nodeRules: KindRules = {
  create: node,
  update: (object, live) => [...node(object), ...nodeUpdate(object, live)],
  status: nodeUpdate,
};

const systemClasses: Readonly<Record<string, number>> = { "system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000 };
const highestPriority = 1_000_000_000;

function reserved(object: KubeObject): string | undefined {
  const { name } = object.metadata;
  const value = systemClasses[name];
  if (value === undefined) return `${name} is not a known system priority class`;
  if (numberAt(object, "value", 0) !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object["globalDefault"] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function priorityName(object: KubeObject): readonly FieldError[] {
  if (!object.metadata.name.startsWith("system-")) {
    const high = numberAt(object, "value", 0) > highestPriority;
    return high ? [fieldForbidden("value", `maximum allowed value of a user defined priority is ${highestPriority}`)] : [];
  }
  const problem = reserved(object);
  const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
  return problem === undefined ? [] : [fieldForbidden("metadata.name", detail)];
}

const preemption = ["PreemptLowerPriority", "Never"];

export const priorityClassRules: KindRules = {
  create: (object) => {
    const policy = stringAt(object, "preemptionPolicy", "PreemptLowerPriority");
    const unknown = preemption.includes(policy) ? [] : [fieldNotSupported("preemptionPolicy", policy, preemption)];
    return [
      ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: false }),
      ...priorityName(object),
      ...(policy === "" ? [fieldRequired("preemptionPolicy")] : unknown),
    ];
  },
  update: (object, live) => [
    ...validateCoreObjectMetaUpdate(object, live),
    ...(numberAt(object, "value", 0) === numberAt(live, "value", 0) ? [] : [fieldForbidden("value", "may not be changed in an update.")]),
    ...validateImmutableField(object["preemptionPolicy"], live["preemptionPolicy"], "preemptionPolicy"),
  ],
};

function lease(spec: Fields): readonly FieldError[] {
  const [duration, transitions] = [numberAt(spec, "leaseDurationSeconds"), numberAt(spec, "leaseTransitions")];
  const preferred = stringField(spec, "preferredHolder") !== "" && stringField(spec, "strategy") === "";
  return [
    ...(duration !== undefined && duration <= 0 ? [fieldInvalid("spec.leaseDurationSeconds", duration, "must be greater than 0")] : []),
    ...(transitions !== undefined && transitions < 0 ? [fieldInvalid("spec.leaseTransitions", transitions, notNegative)] : []),
    ...(preferred ? [fieldForbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")] : []),
  ];
}

/** Any qualified name is a finalizer of a Lease. Models pkg/apis/coordination/validation */
export const leaseRules: KindRules = {
  create: (object) => [...validateObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }), ...lease(fieldsAt(object, "spec"))],
  update: (object, live) => [...validateObjectMetaUpdate(object, live), ...lease(fieldsAt(object, "spec"))],
};
