import { listAt, type Fields } from "../../../core/object/index.ts";
import { compileErrors, type EnvironmentOptions } from "../../expression/index.ts";
import { fieldDuplicate, fieldRequired, fieldTooMany, type FieldError } from "../../field-error.ts";
import { stringField } from "./field-checks.ts";
import { checkQualifiedName } from "./name-formats.ts";
import { formatErrors } from "./object-meta.ts";

const maxConditions = 64;

/**
 * What is wrong with the match conditions of a webhook or of the specification of a policy.
 * Models pkg/apis/admissionregistration/validation/validation.go validateMatchConditions
 */
export function checkMatchConditions(of: Fields, path: string, options: EnvironmentOptions): readonly FieldError[] {
  const conditions = listAt(of, "matchConditions");
  const names = conditions.map((condition) => stringField(condition, "name"));
  return [
    ...(conditions.length > maxConditions ? [fieldTooMany(path, conditions.length, maxConditions)] : []),
    ...conditions.flatMap((condition, index) => {
      const name = names[index]!;
      const isTwice = name !== "" && names.indexOf(name) < index;
      return [
        ...checkCondition(condition, name, `${path}[${index}]`, options),
        ...(isTwice ? [fieldDuplicate(`${path}[${index}].name`, name)] : []),
      ];
    }),
  ];
}

function checkCondition(condition: Fields, name: string, path: string, options: EnvironmentOptions): readonly FieldError[] {
  const expression = stringField(condition, "expression").trim();
  const named = name === "" ? [fieldRequired(`${path}.name`)] : formatErrors(checkQualifiedName, `${path}.name`, name);
  const at = `${path}.expression`;
  return [...(expression === "" ? [fieldRequired(at)] : compileErrors(expression, ["bool"], options, at)), ...named];
}
