import { listAt, mapAt, numberAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { isDeepEqual, withoutFields } from "../field-edits.ts";
import { checkEach, hasField, checkOptionalOneOf, checkPositive, stringField, checkNestedObject } from "./field-checks.ts";
import { formatErrors, validateLabels, validateLabelSelector } from "./object-meta.ts";
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue, checkQualifiedName } from "./name-formats.ts";

// Models pkg/apis/core/validation/validation.go ValidateTolerations, validateAffinity and validateTopologySpreadConstraints

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function toleration(fields: Fields, path: string): readonly FieldError[] {
  const [key, operator, effect, value] = [
    stringField(fields, "key"),
    stringField(fields, "operator"),
    stringField(fields, "effect"),
    stringField(fields, "value"),
  ];
  const timed = hasField(fields, "tolerationSeconds") && effect !== "NoExecute";
  const everything = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [
    ...(key === "" ? [] : formatErrors(checkQualifiedName, `${path}.key`, key)),
    ...(key === "" && operator !== "Exists" ? [fieldInvalid(`${path}.operator`, operator, everything)] : []),
    ...(timed ? [fieldInvalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")] : []),
    ...operatorErrors(operator, value, path),
    ...(effect === "" || taintEffects.includes(effect) ? [] : [fieldNotSupported(`${path}.effect`, effect, taintEffects)]),
  ];
}

function operatorErrors(operator: string, value: string, path: string): readonly FieldError[] {
  const at = `${path}.operator`;
  if (operator === "Exists") return value === "" ? [] : [fieldInvalid(at, value, "value must be empty when `operator` is 'Exists'")];
  if (operator === "Lt" || operator === "Gt") return [fieldNotSupported(at, operator, ["Equal", "Exists", "Lt", "Gt"])];
  if (operator !== "" && operator !== "Equal") return [fieldNotSupported(at, operator, ["Equal", "Exists"])];
  const problems = checkLabelValue(value);
  return problems.length === 0 ? [] : [fieldInvalid(at, value, problems.join(";"))];
}

export function validateTolerations(spec: Fields, path: string): readonly FieldError[] {
  return checkEach(spec, "tolerations", path, toleration);
}

const bare = (fields: Fields): Fields => withoutFields(fields, "tolerationSeconds");

/** Tolerations may be added to a Pod, never removed. */
export function validateTolerationUpdate(spec: Fields, live: Fields, path: string): readonly FieldError[] {
  const kept = listAt(live, "tolerations").every((before) =>
    listAt(spec, "tolerations").some((after) => isDeepEqual(bare(before), bare(after))),
  );
  return kept
    ? validateTolerations(spec, path)
    : [fieldForbidden(`${path}.tolerations`, "existing toleration can not be modified except its tolerationSeconds")];
}

/** What a Pod prefers may be a value that no label has. */
function preferredRequirement(requirement: Fields, path: string): readonly FieldError[] {
  const operator = stringField(requirement, "operator");
  const values = stringsAt(requirement, "values");
  return [...nodeOperator(operator, values, path), ...formatErrors(checkQualifiedName, `${path}.key`, stringField(requirement, "key"))];
}

function requiredRequirement(requirement: Fields, path: string): readonly FieldError[] {
  return [
    ...preferredRequirement(requirement, path),
    ...stringsAt(requirement, "values").flatMap((value, index) => formatErrors(checkLabelValue, `${path}.values[${index}]`, value)),
  ];
}

function nodeOperator(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  if (operator === "In" || operator === "NotIn")
    return values.length > 0 ? [] : [fieldRequired(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (operator === "Exists" || operator === "DoesNotExist") {
    return values.length === 0
      ? []
      : [fieldForbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  if (operator === "Gt" || operator === "Lt")
    return values.length === 1 ? [] : [fieldRequired(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  return [fieldInvalid(`${path}.operator`, operator, "not a valid selector operator")];
}

function nodeField(requirement: Fields, path: string): readonly FieldError[] {
  const operator = stringField(requirement, "operator");
  const values = stringsAt(requirement, "values");
  const isSet = operator === "In" || operator === "NotIn";
  return [
    ...(isSet && values.length !== 1
      ? [fieldRequired(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")]
      : []),
    ...(isSet ? [] : [fieldInvalid(`${path}.operator`, operator, "not a valid selector operator")]),
    ...(stringField(requirement, "key") === "metadata.name"
      ? values.flatMap((value, index) => formatErrors(checkDnsSubdomain, `${path}.values[${index}]`, value))
      : [fieldInvalid(`${path}.key`, stringField(requirement, "key"), "not a valid field selector key")]),
  ];
}

type Check = (fields: Fields, path: string) => readonly FieldError[];

function nodeTerm(requirement: Check): Check {
  return (term, path) => [...checkEach(term, "matchExpressions", path, requirement), ...checkEach(term, "matchFields", path, nodeField)];
}

export function validateNodeSelector(selector: Fields, path: string): readonly FieldError[] {
  if (listAt(selector, "nodeSelectorTerms").length === 0)
    return [fieldRequired(`${path}.nodeSelectorTerms`, "must have at least one node selector term")];
  return checkEach(selector, "nodeSelectorTerms", path, nodeTerm(requiredRequirement));
}

function weight(term: Fields, path: string): readonly FieldError[] {
  const value = numberAt(term, "weight", 0);
  return value > 0 && value <= 100 ? [] : [fieldInvalid(`${path}.weight`, value, "must be in the range 1-100")];
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
    ...names.flatMap(([name, keys]) => labelKeys(keys, `${path}.${name}`, hasField(term, "labelSelector"))),
    ...repeatedKeys(same, term["labelSelector"], path),
    ...same.flatMap((key, index) =>
      other.includes(key)
        ? [fieldInvalid(`${path}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys")]
        : [],
    ),
  ];
}

function labelKeys(keys: readonly string[], path: string, selects: boolean): readonly FieldError[] {
  if (keys.length > 0 && !selects) return [fieldForbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => formatErrors(checkQualifiedName, `${path}[${index}]`, key));
}

/** The server has already added every such key to the selector, so a key that appears twice was there before. */
function repeatedKeys(keys: readonly string[], selector: unknown, path: string): readonly FieldError[] {
  const seen = new Set(Object.keys(mapAt(selector, "matchLabels")));
  return listAt(selector, "matchExpressions").flatMap((requirement) => {
    const key = stringField(requirement, "key");
    const twice = keys.includes(key) && seen.has(key);
    seen.add(key);
    return twice ? [fieldInvalid(`${path}[${keys.lastIndexOf(key)}]`, key, "exists in both matchLabelKeys and labelSelector")] : [];
  });
}

function podTerm(term: Fields, path: string): readonly FieldError[] {
  const key = stringField(term, "topologyKey");
  return [
    ...checkNestedObject(term, "labelSelector", path, validateLabelSelector),
    ...checkNestedObject(term, "namespaceSelector", path, validateLabelSelector),
    ...stringsAt(term, "namespaces").flatMap((name) => formatErrors(checkDnsLabel, `${path}.namespace`, name)),
    ...matchKeys(term, path),
    ...(key === "" ? [fieldRequired(`${path}.topologyKey`, "can not be empty")] : []),
    ...formatErrors(checkQualifiedName, `${path}.topologyKey`, key),
  ];
}

function podTerms(affinity: Fields, path: string): readonly FieldError[] {
  return [
    ...checkEach(affinity, demanded, path, podTerm),
    ...checkEach(affinity, preferred, path, (term, at) => [
      ...weight(term, at),
      ...checkNestedObject(term, "podAffinityTerm", at, podTerm),
    ]),
  ];
}

export function validateAffinity(spec: Fields, path: string): readonly FieldError[] {
  return checkNestedObject(spec, "affinity", path, (fields, at) => [
    ...checkNestedObject(fields, "nodeAffinity", at, (node, where) => [
      ...checkNestedObject(node, demanded, where, validateNodeSelector),
      ...checkEach(node, preferred, where, (term, item) => [
        ...weight(term, item),
        ...checkNestedObject(term, "preference", item, nodeTerm(preferredRequirement)),
      ]),
    ]),
    ...checkNestedObject(fields, "podAffinity", at, podTerms),
    ...checkNestedObject(fields, "podAntiAffinity", at, podTerms),
  ]);
}

function minDomains(constraint: Fields, path: string): readonly FieldError[] {
  const least = numberAt(constraint, "minDomains");
  const action = stringField(constraint, "whenUnsatisfiable");
  const at = `${path}.minDomains`;
  if (least === undefined) return [];
  const soft =
    action === "DoNotSchedule"
      ? []
      : [fieldInvalid(at, least, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`)];
  return [...(least > 0 ? [] : [fieldInvalid(at, least, "must be greater than zero")]), ...soft];
}

const actions = ["DoNotSchedule", "ScheduleAnyway"];

const pair = (constraint: Fields): string => `{${stringField(constraint, "topologyKey")}, ${stringField(constraint, "whenUnsatisfiable")}}`;

export function validateTopologySpreadConstraints(spec: Fields, path: string): readonly FieldError[] {
  const all = listAt(spec, "topologySpreadConstraints");
  return checkEach(spec, "topologySpreadConstraints", path, (constraint, at, index) => {
    const action = stringField(constraint, "whenUnsatisfiable");
    const repeated = all.slice(index + 1).some((other) => pair(other) === pair(constraint));
    return [
      ...checkPositive(numberAt(constraint, "maxSkew", 0), `${at}.maxSkew`),
      ...(stringField(constraint, "topologyKey") === "" ? [fieldRequired(`${at}.topologyKey`, "can not be empty")] : []),
      ...(actions.includes(action) ? [] : [fieldNotSupported(`${at}.whenUnsatisfiable`, action, actions)]),
      ...(repeated ? [fieldDuplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair(constraint))] : []),
      ...minDomains(constraint, at),
      ...checkOptionalOneOf(constraint, "nodeAffinityPolicy", at, ["Honor", "Ignore"]),
      ...checkOptionalOneOf(constraint, "nodeTaintsPolicy", at, ["Honor", "Ignore"]),
      ...matchKeys(constraint, at),
      ...checkNestedObject(constraint, "labelSelector", at, validateLabelSelector),
    ];
  });
}

export function validateNodeSelectorLabels(spec: Fields, path: string): readonly FieldError[] {
  return validateLabels(mapAt(spec, "nodeSelector"), `${path}.nodeSelector`);
}
