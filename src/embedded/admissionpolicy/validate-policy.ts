import { fieldsAt, isFields, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { CelProgram } from "../../lang/cel/index.ts";
import { checkDns1035Label, checkDnsSubdomain, checkMatchConditions, checkQualifiedName, validateObjectMeta } from "../builtin/index.ts";
import { compileErrors, compiledOrErrors, type EnvironmentOptions } from "../expression/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import { oneOf, validateMatchResources } from "./validate-match-resources.ts";

// Models pkg/apis/admissionregistration/validation/validation.go validateValidatingAdmissionPolicy

const mostAnnotations = 20;
const longestAnnotation = 5 * 1024;
const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/** What is wrong with a policy: its expressions are compiled. `live` is the policy that it replaces. */
export function validatePolicy(policy: KubeObject, live?: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(policy, "spec");
  const hasParams = isFields(spec["paramKind"]);
  const constraints = spec["matchConstraints"];
  const variables = new Map<string, CelProgram | undefined>();
  const hasVariables = listAt(spec, "variables").length > 0;
  const options = { hasParams, hasAuthorizer: true, ...(hasVariables ? { variables } : {}) };
  const keepsConditions =
    live !== undefined && JSON.stringify(spec["matchConditions"]) === JSON.stringify(fieldsAt(live, "spec")["matchConditions"]);
  return [
    ...validateObjectMeta(policy, { name: checkDnsSubdomain, namespaced: false }),
    ...oneOf(spec["failurePolicy"], "spec.failurePolicy", ["Fail", "Ignore"]),
    ...(hasParams ? paramKindErrors(fieldsAt(spec, "paramKind"), "spec.paramKind") : []),
    ...(isFields(constraints) ? constraintErrors(constraints) : [fieldRequired("spec.matchConstraints")]),
    ...(keepsConditions ? [] : checkMatchConditions(spec, "spec.matchConditions", { hasParams, hasAuthorizer: true })),
    ...listAt(spec, "variables").flatMap((each, index) => variableErrors(each, `spec.variables[${index}]`, options, variables)),
    ...expressionErrors(policy, spec, options),
  ];
}

function constraintErrors(constraints: Fields): readonly FieldError[] {
  const path = "spec.matchConstraints";
  const none = listAt(constraints, "resourceRules").length === 0 ? [fieldRequired(`${path}.resourceRules`)] : [];
  return [...validateMatchResources(constraints, path), ...none];
}

function paramKindErrors(kind: Fields, path: string): readonly FieldError[] {
  const [apiVersion, name] = [stringAt(kind, "apiVersion", ""), stringAt(kind, "kind", "")];
  const wrongName = checkDns1035Label(name.toLowerCase());
  return [
    ...(apiVersion === "" ? [fieldRequired(`${path}.apiVersion`)] : apiVersionErrors(apiVersion, `${path}.apiVersion`)),
    ...(name === "" ? [fieldRequired(`${path}.kind`)] : []),
    ...(name !== "" && wrongName.length > 0
      ? [fieldInvalid(`${path}.kind`, name, `may have mixed case, but should otherwise match: ${wrongName.join(",")}`)]
      : []),
  ];
}

function apiVersionErrors(apiVersion: string, path: string): readonly FieldError[] {
  const parts = apiVersion.split("/");
  if (parts.length > 2) return [fieldInvalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group, version] = parts.length === 1 ? ["", apiVersion] : [parts[0]!, parts[1]!];
  const wrongGroup = group === "" ? [] : checkDnsSubdomain(group);
  const wrongVersion = checkDns1035Label(version);
  return [
    ...(wrongGroup.length > 0 ? [fieldInvalid(path, group, wrongGroup.join(","))] : []),
    ...(version === ""
      ? [fieldInvalid(path, apiVersion, "version must be specified")]
      : wrongVersion.length > 0
        ? [fieldInvalid(path, version, wrongVersion.join(","))]
        : []),
  ];
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

function variableErrors(
  variable: Fields,
  path: string,
  options: EnvironmentOptions,
  variables: Map<string, CelProgram | undefined>,
): readonly FieldError[] {
  const [name, expression] = [stringAt(variable, "name", ""), stringAt(variable, "expression", "")];
  const wrongName =
    name.trim() === ""
      ? [fieldRequired(`${path}.name`, "name is not specified")]
      : identifier.test(name) && !reserved.has(name)
        ? []
        : [fieldInvalid(`${path}.name`, name, "must be a valid CEL identifier")];
  if (expression.trim() === "") return [...wrongName, fieldRequired(`${path}.expression`, "expression is not specified")];
  const compiled = compiledOrErrors(expression, [], options, `${path}.expression`);
  variables.set(name, "program" in compiled ? compiled.program : undefined);
  return [...wrongName, ...("errors" in compiled ? compiled.errors : [])];
}

function expressionErrors({ metadata }: KubeObject, spec: Fields, options: EnvironmentOptions): readonly FieldError[] {
  const [validations, annotations] = [listAt(spec, "validations"), listAt(spec, "auditAnnotations")];
  const missing = "validations or auditAnnotations must contain at least one item";
  if (validations.length === 0 && annotations.length === 0)
    return ["validations", "auditAnnotations"].map((list) => fieldRequired(`spec.${list}`, missing));
  const keys = annotations.map((annotation) => stringAt(annotation, "key", ""));
  const tooMany = `must not have more than ${mostAnnotations} auditAnnotations`;
  return [
    ...validations.flatMap((each, index) => validationErrors(each, `spec.validations[${index}]`, options)),
    ...(annotations.length > mostAnnotations ? [fieldInvalid("spec.auditAnnotations", annotations, tooMany)] : []),
    ...annotations.flatMap((each, index) => {
      const at = `spec.auditAnnotations[${index}]`;
      const twice = keys.indexOf(keys[index]!) < index ? [fieldDuplicate(`${at}.key`, keys[index])] : [];
      return [...annotationErrors(each, metadata.name, at, options), ...twice];
    }),
  ];
}

function validationErrors(validation: Fields, path: string, options: EnvironmentOptions): readonly FieldError[] {
  const text = (name: string) => stringAt(validation, name, "");
  const [expression, messageExpression, message] = [text("expression"), text("messageExpression"), text("message")];
  const empty = (name: string, value: string) => fieldInvalid(`${path}.${name}`, value, "must be non-empty if specified");
  const reason = validation["reason"] ?? null;
  return [
    ...(expression.trim() === ""
      ? [fieldRequired(`${path}.expression`, "expression is not specified")]
      : compileErrors(expression, ["bool"], options, `${path}.expression`)),
    ...(messageExpression !== "" && messageExpression.trim() === "" ? [empty("messageExpression", messageExpression)] : []),
    ...(messageExpression.trim() === ""
      ? []
      : compileErrors(messageExpression, ["string"], { ...options, hasAuthorizer: false }, `${path}.messageExpression`)),
    ...(message !== "" && message.trim() === "" ? [empty("message", message)] : []),
    ...(/[\n\r]/.test(message.trim()) ? [fieldInvalid(`${path}.message`, message, "must not contain line breaks")] : []),
    ...(reason !== null && !reasons.some((each) => each === reason) ? [fieldNotSupported(`${path}.reason`, reason, reasons)] : []),
  ];
}

function annotationErrors(annotation: Fields, policy: string, path: string, options: EnvironmentOptions): readonly FieldError[] {
  const [key, given] = [stringAt(annotation, "key", ""), stringAt(annotation, "valueExpression", "")];
  const expression = given.trim();
  const at = `${path}.valueExpression`;
  const wrongKey =
    policy === ""
      ? [fieldInvalid(`${path}.key`, key, "requires metadata.name be non-empty")]
      : checkQualifiedName(`${policy}/${key}`).map((wrong) => fieldInvalid(`${path}.key`, `${policy}/${key}`, wrong));
  if (expression === "") return [...wrongKey, fieldRequired(at, "valueExpression is not specified")];
  if (Buffer.byteLength(expression) > longestAnnotation)
    return [...wrongKey, fieldRequired(at, `must not exceed ${longestAnnotation} bytes in length`)];
  const compiled = compiledOrErrors(expression, ["string", "null_type"], options, at, given);
  return [...wrongKey, ...("errors" in compiled ? compiled.errors : [])];
}
