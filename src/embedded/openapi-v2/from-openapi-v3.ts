import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";

/** The parameters that a document shares, by their JSON. */
type SharedParameters = ReadonlyMap<string, string>;

/** Looks parameters up that operations may refer to instead of containing them. */
export function sharedParametersOf(parameters: Fields): SharedParameters {
  return new Map(Object.entries(parameters).map(([name, parameter]) => [keyOf(parameter), name]));
}

function keyOf(parameter: unknown): string {
  const entries = isFields(parameter) ? Object.entries(parameter) : [];
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A model of OpenAPI v3 in the words of v2. */
export function modelFromV3(model: unknown): Fields {
  const moved = runNested(withReferences(model));
  return isFields(moved) ? moved : {};
}

function* withReferences(value: unknown): Nested<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* callNested(withReferences(item)));
    return items;
  }
  if (!isFields(value)) return value;
  const { allOf, $ref, ...rest } = value;
  const entries: [string, unknown][] = [];
  for (const [key, child] of Object.entries(rest)) entries.push([key, yield* callNested(withReferences(child))]);
  const inner = Object.fromEntries(entries);
  // A reference with a description beside it is in v3 a list of one.
  const target = $ref ?? (Array.isArray(allOf) && allOf.length === 1 && isFields(allOf[0]) ? allOf[0]["$ref"] : undefined);
  return typeof target === "string" ? { ...inner, $ref: target.replace("#/components/schemas/", "#/definitions/") } : inner;
}

const objectTypes = ["application/json", "application/yaml"];

/** A path of OpenAPI v3, with its operations, in the words of v2. */
export function pathFromV3(path: unknown, shared: SharedParameters): Fields {
  const { parameters, ...operations } = isFields(path) ? path : {};
  return {
    ...Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, operationFromV3(operation, shared)])),
    parameters: parametersFromV3(parameters, shared),
  };
}

function operationFromV3(operation: unknown, shared: SharedParameters): Fields {
  const { parameters, requestBody, responses, ...rest } = isFields(operation) ? operation : {};
  const { content, required } = isFields(requestBody) ? requestBody : {};
  const types = isFields(content) ? Object.keys(content) : [];
  const body = types.length === 0 ? [] : [bodyFromV3(schemaIn(content), required === true)];
  const all = [...body.map((item) => orReference(item, shared)), ...parametersFromV3(parameters, shared)];
  return {
    ...rest,
    consumes: types.length === 0 ? objectTypes : types,
    produces: objectTypes,
    schemes: ["https"],
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: isFields(responses)
      ? Object.fromEntries(Object.entries(responses).map(([code, answer]) => [code, responseFromV3(answer)]))
      : {},
  };
}

/** The schema is the same in all media types. */
function schemaIn(content: unknown): unknown {
  const [first] = isFields(content) ? Object.values(content) : [];
  return isFields(first) ? runNested(withReferences(first["schema"])) : undefined;
}

function bodyFromV3(schema: unknown, required: boolean): Fields {
  return { name: "body", in: "body", ...(required ? { required } : {}), schema };
}

function responseFromV3(answer: unknown): Fields {
  const { content, ...rest } = isFields(answer) ? answer : {};
  return content === undefined ? rest : { ...rest, schema: schemaIn(content) };
}

function parametersFromV3(parameters: unknown, shared: SharedParameters): readonly Fields[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((parameter: unknown) => {
    if (!isFields(parameter)) return [];
    const { schema, ...rest } = parameter;
    return [orReference(isFields(schema) ? { ...schema, ...rest } : rest, shared)];
  });
}

function orReference(parameter: Fields, shared: SharedParameters): Fields {
  const name = shared.get(keyOf(parameter));
  return name === undefined ? parameter : { $ref: `#/parameters/${name}` };
}
