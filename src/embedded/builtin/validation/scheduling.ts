import { listAt, mapAt, numberAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isSame, without } from "../edit.ts";
import { each, has, optionalOneOf, positive, text, within } from "./check.ts";
import { checked, labels, labelSelector } from "./meta.ts";
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from "./names.ts";

// Models pkg/apis/core/validation/validation.go ValidateTolerations, validateAffinity and validateTopologySpreadConstraints

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function toleration(fields: Fields, path: string): readonly FieldError[] {
  const [key, operator, effect, value] = [text(fields, "key"), text(fields, "operator"), text(fields, "effect"), text(fields, "value")];
  const timed = has(fields, "tolerationSeconds") && effect !== "NoExecute";
  const everything = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [
    ...(key === "" ? [] : checked(qualifiedName, `${path}.key`, key)),
    ...(key === "" && operator !== "Exists" ? [invalid(`${path}.operator`, operator, everything)] : []),
    ...(timed ? [invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")] : []),
    ...operatorErrors(operator, value, path),
    ...(effect === "" || taintEffects.includes(effect) ? [] : [notSupported(`${path}.effect`, effect, taintEffects)]),
  ];
}

function operatorErrors(operator: string, value: string, path: string): readonly FieldError[] {
  const at = `${path}.operator`;
  if (operator === "Exists") return value === "" ? [] : [invalid(at, value, "value must be empty when `operator` is 'Exists'")];
  if (operator === "Lt" || operator === "Gt") return [notSupported(at, operator, ["Equal", "Exists", "Lt", "Gt"])];
  if (operator !== "" && operator !== "Equal") return [notSupported(at, operator, ["Equal", "Exists"])];
  const problems = labelValue(value);
  return problems.length === 0 ? [] : [invalid(at, value, problems.join(";"))];
}

export function tolerations(spec: Fields, path: string): readonly FieldError[] {
  return each(spec, "tolerations", path, toleration);
}

const bare = (fields: Fields): Fields => without(fields, "tolerationSeconds");

/** Tolerations may be added to a Pod, never taken away. */
export function tolerationUpdate(spec: Fields, live: Fields, path: string): readonly FieldError[] {
  const kept = listAt(live, "tolerations").every((before) =>
    listAt(spec, "tolerations").some((after) => isSame(bare(before), bare(after))),
  );
  return kept
    ? tolerations(spec, path)
    : [forbidden(`${path}.tolerations`, "existing toleration can not be modified except its tolerationSeconds")];
}

function nodeRequirement(requirement: Fields, path: string): readonly FieldError[] {
  const operator = text(requirement, "operator");
  const values = stringsAt(requirement, "values");
  return [
    ...nodeOperator(operator, values, path),
    ...checked(qualifiedName, `${path}.key`, text(requirement, "key")),
    ...values.flatMap((value, index) => checked(labelValue, `${path}.values[${index}]`, value)),
  ];
}

function nodeOperator(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  if (operator === "In" || operator === "NotIn")
    return values.length > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (operator === "Exists" || operator === "DoesNotExist") {
    return values.length === 0 ? [] : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  if (operator === "Gt" || operator === "Lt")
    return values.length === 1 ? [] : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
}

function nodeField(requirement: Fields, path: string): readonly FieldError[] {
  const operator = text(requirement, "operator");
  const values = stringsAt(requirement, "values");
  const isSet = operator === "In" || operator === "NotIn";
  return [
    ...(isSet && values.length !== 1
      ? [required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")]
      : []),
    ...(isSet ? [] : [invalid(`${path}.operator`, operator, "not a valid selector operator")]),
    ...(text(requirement, "key") === "metadata.name"
      ? values.flatMap((value, index) => checked(dnsSubdomain, `${path}.values[${index}]`, value))
      : [invalid(`${path}.key`, text(requirement, "key"), "not a valid field selector key")]),
  ];
}

function nodeTerm(term: Fields, path: string): readonly FieldError[] {
  return [...each(term, "matchExpressions", path, nodeRequirement), ...each(term, "matchFields", path, nodeField)];
}

export function nodeSelector(selector: Fields, path: string): readonly FieldError[] {
  if (listAt(selector, "nodeSelectorTerms").length === 0)
    return [required(`${path}.nodeSelectorTerms`, "must have at least one node selector term")];
  return each(selector, "nodeSelectorTerms", path, nodeTerm);
}

function weight(term: Fields, path: string): readonly FieldError[] {
  const value = numberAt(term, "weight", 0);
  return value > 0 && value <= 100 ? [] : [invalid(`${path}.weight`, value, "must be in the range 1-100")];
}

const demanded = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Keys whose values are taken from the Pod itself. Models ValidateMatchLabelKeysAndMismatchLabelKeys */
function matchKeys(term: Fields, path: string): readonly FieldError[] {
  const [same, other] = [stringsAt(term, "matchLabelKeys"), stringsAt(term, "mismatchLabelKeys")];
  const names = [
    ["matchLabelKeys", same],
    ["mismatchLabelKeys", other],
  ] as const;
  return [
    ...names.flatMap(([name, keys]) => labelKeys(keys, `${path}.${name}`, has(term, "labelSelector"))),
    ...repeatedKeys(same, term["labelSelector"], path),
    ...same.flatMap((key, index) =>
      other.includes(key) ? [invalid(`${path}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys")] : [],
    ),
  ];
}

function labelKeys(keys: readonly string[], path: string, selects: boolean): readonly FieldError[] {
  if (keys.length > 0 && !selects) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => checked(qualifiedName, `${path}[${index}]`, key));
}

/** The server has put every such key into the selector already, so one that is there twice was there before. */
function repeatedKeys(keys: readonly string[], selector: unknown, path: string): readonly FieldError[] {
  const seen = new Set(Object.keys(mapAt(selector, "matchLabels")));
  return listAt(selector, "matchExpressions").flatMap((requirement) => {
    const key = text(requirement, "key");
    const twice = keys.includes(key) && seen.has(key);
    seen.add(key);
    return twice ? [invalid(`${path}[${keys.lastIndexOf(key)}]`, key, "exists in both matchLabelKeys and labelSelector")] : [];
  });
}

function podTerm(term: Fields, path: string): readonly FieldError[] {
  const key = text(term, "topologyKey");
  return [
    ...within(term, "labelSelector", path, labelSelector),
    ...within(term, "namespaceSelector", path, labelSelector),
    ...stringsAt(term, "namespaces").flatMap((name) => checked(dnsLabel, `${path}.namespace`, name)),
    ...matchKeys(term, path),
    ...(key === "" ? [required(`${path}.topologyKey`, "can not be empty")] : []),
    ...checked(qualifiedName, `${path}.topologyKey`, key),
  ];
}

function podTerms(affinity: Fields, path: string): readonly FieldError[] {
  return [
    ...each(affinity, demanded, path, podTerm),
    ...each(affinity, preferred, path, (term, at) => [...weight(term, at), ...within(term, "podAffinityTerm", at, podTerm)]),
  ];
}

export function affinity(spec: Fields, path: string): readonly FieldError[] {
  return within(spec, "affinity", path, (fields, at) => [
    ...within(fields, "nodeAffinity", at, (node, where) => [
      ...within(node, demanded, where, nodeSelector),
      ...each(node, preferred, where, (term, item) => [...weight(term, item), ...within(term, "preference", item, nodeTerm)]),
    ]),
    ...within(fields, "podAffinity", at, podTerms),
    ...within(fields, "podAntiAffinity", at, podTerms),
  ]);
}

function minDomains(constraint: Fields, path: string): readonly FieldError[] {
  const least = numberAt(constraint, "minDomains");
  const action = text(constraint, "whenUnsatisfiable");
  const at = `${path}.minDomains`;
  if (least === undefined) return [];
  const soft =
    action === "DoNotSchedule" ? [] : [invalid(at, least, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`)];
  return [...(least > 0 ? [] : [invalid(at, least, "must be greater than zero")]), ...soft];
}

const actions = ["DoNotSchedule", "ScheduleAnyway"];

const pair = (constraint: Fields): string => `{${text(constraint, "topologyKey")}, ${text(constraint, "whenUnsatisfiable")}}`;

export function spreadConstraints(spec: Fields, path: string): readonly FieldError[] {
  const all = listAt(spec, "topologySpreadConstraints");
  return each(spec, "topologySpreadConstraints", path, (constraint, at, index) => {
    const action = text(constraint, "whenUnsatisfiable");
    const repeated = all.slice(index + 1).some((other) => pair(other) === pair(constraint));
    return [
      ...positive(numberAt(constraint, "maxSkew", 0), `${at}.maxSkew`),
      ...(text(constraint, "topologyKey") === "" ? [required(`${at}.topologyKey`, "can not be empty")] : []),
      ...(actions.includes(action) ? [] : [notSupported(`${at}.whenUnsatisfiable`, action, actions)]),
      ...(repeated ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair(constraint))] : []),
      ...minDomains(constraint, at),
      ...optionalOneOf(constraint, "nodeAffinityPolicy", at, ["Honor", "Ignore"]),
      ...optionalOneOf(constraint, "nodeTaintsPolicy", at, ["Honor", "Ignore"]),
      ...matchKeys(constraint, at),
      ...within(constraint, "labelSelector", at, labelSelector),
    ];
  });
}

export function nodeSelectorLabels(spec: Fields, path: string): readonly FieldError[] {
  return labels(mapAt(spec, "nodeSelector"), `${path}.nodeSelector`);
}
