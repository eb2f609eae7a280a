import { fieldsAt, isFields, stringAt, stringsAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { checkDnsSubdomain, validateLabelSelector, validateObjectMeta } from "../builtin/index.ts";
import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import { pathSegmentErrors, validateMatchResources } from "./validate-match-resources.ts";

// Models pkg/apis/admissionregistration/validation/validation.go validateValidatingAdmissionPolicyBinding

/** What is wrong with a binding. */
export function validateBinding(binding: KubeObject): readonly FieldError[] {
  const spec = fieldsAt(binding, "spec");
  const policy = stringAt(spec, "policyName", "");
  const [reference, resources] = [spec["paramRef"], spec["matchResources"]];
  return [
    ...validateObjectMeta(binding, { name: checkDnsSubdomain, namespaced: false }),
    ...(policy === ""
      ? [fieldRequired("spec.policyName")]
      : checkDnsSubdomain(policy).map((wrong) => fieldInvalid("spec.policyName", policy, wrong))),
    ...(isFields(reference) ? paramRefErrors(reference, "spec.paramRef") : []),
    ...(isFields(resources) ? validateMatchResources(resources, "spec.matchResources") : []),
    ...actionErrors(stringsAt(spec, "validationActions"), "spec.validationActions"),
  ];
}

const exclusive = "name and selector are mutually exclusive";

function paramRefErrors(reference: Fields, path: string): readonly FieldError[] {
  const name = stringAt(reference, "name", "");
  const selector = isFields(reference["selector"]) ? reference["selector"] : undefined;
  const both = name !== "" && selector !== undefined;
  const action = stringAt(reference, "parameterNotFoundAction", "");
  const known = ["Deny", "Allow"];
  return [
    ...(name === "" ? [] : pathSegmentErrors(name, `${path}.name`)),
    ...(both ? [fieldForbidden(`${path}.name`, exclusive)] : []),
    ...(selector === undefined ? [] : validateLabelSelector(selector, `${path}.selector`)),
    ...(both ? [fieldForbidden(`${path}.selector`, exclusive)] : []),
    ...(name === "" && selector === undefined ? [fieldRequired(path, "one of name or selector must be specified")] : []),
    ...(action === "" ? [fieldRequired(`${path}.parameterNotFoundAction`)] : []),
    ...(action === "" || known.includes(action) ? [] : [fieldNotSupported(`${path}.parameterNotFoundAction`, action, known)]),
  ];
}

const denyAndWarn =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";

function actionErrors(actions: readonly string[], path: string): readonly FieldError[] {
  const known = ["Audit", "Deny", "Warn"];
  return [
    ...actions.flatMap((action, index) => [
      ...(known.includes(action) ? [] : [fieldNotSupported(`${path}[${index}]`, action, known)]),
      ...(actions.indexOf(action) < index ? [fieldDuplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes("Deny") && actions.includes("Warn") ? [fieldInvalid(path, actions, denyAndWarn)] : []),
    ...(actions.length === 0 ? [fieldRequired(path, "at least one validation action is required")] : []),
  ];
}
