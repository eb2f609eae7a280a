import { listAt, type Fields } from "../../../core/object/index.ts";
import { compileCel, type CelProgram } from "../../../lang/cel/index.ts";
import { fieldDuplicate, fieldInvalid, fieldRequired, fieldTooMany, type FieldError } from "../../field-error.ts";
import { stringField } from "./field-checks.ts";
import { checkQualifiedName } from "./name-formats.ts";
import { formatErrors } from "./object-meta.ts";

const maxConditions = 64;

const variables = { object: "dyn", oldObject: "dyn", request: "dyn", authorizer: "dyn" } as const;

/** Compiles the expression of a match condition. Throws an Error in the words of the API server. */
export function compileMatchCondition(expression: string): CelProgram {
  const program = compiled(expression);
  if (program.type !== "bool") throw new Error(`must evaluate to bool but got ${program.type}`);
  return program;
}

function compiled(expression: string): CelProgram {
  try {
    return compileCel(expression, { variables });
  } catch (cause) {
    throw new Error(`compilation failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Models pkg/apis/admissionregistration/validation/validation.go validateMatchConditions */
export function checkMatchConditions(hook: Fields, path: string): readonly FieldError[] {
  const conditions = listAt(hook, "matchConditions");
  const names = conditions.map((condition) => stringField(condition, "name"));
  return [
    ...(conditions.length > maxConditions ? [fieldTooMany(path, conditions.length, maxConditions)] : []),
    ...conditions.flatMap((condition, index) => {
      const name = names[index]!;
      const isTwice = name !== "" && names.indexOf(name) < index;
      return [
        ...checkCondition(condition, name, `${path}[${index}]`),
        ...(isTwice ? [fieldDuplicate(`${path}[${index}].name`, name)] : []),
      ];
    }),
  ];
}

function checkCondition(condition: Fields, name: string, path: string): readonly FieldError[] {
  const named = name === "" ? [fieldRequired(`${path}.name`)] : formatErrors(checkQualifiedName, `${path}.name`, name);
  return [...checkExpression(stringField(condition, "expression").trim(), `${path}.expression`), ...named];
}

function checkExpression(expression: string, path: string): readonly FieldError[] {
  if (expression === "") return [fieldRequired(path)];
  try {
    compileMatchCondition(expression);
    return [];
  } catch (error) {
    return [fieldInvalid(path, expression, error instanceof Error ? error.message : String(error))];
  }
}
