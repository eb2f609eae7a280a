import { isFields, listAt, stringsAt, type Fields } from "../../core/object/index.ts";
import { validateLabelSelector, validateRuleWithOperations } from "../builtin/index.ts";
import { fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";

// Models pkg/apis/admissionregistration/validation/validation.go validateMatchResources

/** What is wrong with the constraints of a policy or of a binding. */
export function validateMatchResources(constraints: Fields, path: string): readonly FieldError[] {
  return [
    ...oneOf(constraints["matchPolicy"], `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...selector(constraints, "namespaceSelector", path),
    ...selector(constraints, "objectSelector", path),
    ...rules(constraints, "resourceRules", path),
    ...rules(constraints, "excludeResourceRules", path),
  ];
}

/** A value that must be there and be one of these. */
export function oneOf(value: unknown, path: string, supported: readonly string[]): readonly FieldError[] {
  if ((value ?? null) === null) return [fieldRequired(path)];
  return supported.some((each) => each === value) ? [] : [fieldNotSupported(path, value, supported)];
}

function selector(constraints: Fields, name: string, path: string): readonly FieldError[] {
  const value = constraints[name];
  return isFields(value) ? validateLabelSelector(value, `${path}.${name}`) : [fieldRequired(`${path}.${name}`)];
}

function rules(constraints: Fields, list: string, path: string): readonly FieldError[] {
  return listAt(constraints, list).flatMap((rule, index) => {
    const at = `${path}.${list}[${index}]`;
    return [...resourceNames(stringsAt(rule, "resourceNames"), `${at}.resourceNames`), ...validateRuleWithOperations(rule, at)];
  });
}

function resourceNames(names: readonly string[], path: string): readonly FieldError[] {
  return names.flatMap((name, index) => [
    ...pathSegmentErrors(name, `${path}[${index}]`),
    ...(names.indexOf(name) < index ? [fieldDuplicate(`${path}[${index}]`, name)] : []),
  ]);
}

/** A name that cannot stand in a path. Models apimachinery pkg/api/validation/path/name.go ValidatePathSegmentName */
export function pathSegmentErrors(name: string, path: string): readonly FieldError[] {
  if (name === "." || name === "..") return [fieldInvalid(path, name, `may not be '${name}'`)];
  return ["/", "%"].filter((mark) => name.includes(mark)).map((mark) => fieldInvalid(path, name, `may not contain '${mark}'`));
}
