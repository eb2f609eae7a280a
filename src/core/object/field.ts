import type { KubeObject } from "./object.ts";

/** A plain JSON object: no array, no null. */
export type Fields = { readonly [key: string]: unknown };

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `value` is a Kubernetes object: it has a kind. */
export function isKubeObject(value: unknown): value is KubeObject {
  return isFields(value) && typeof value["apiVersion"] === "string" && typeof value["kind"] === "string" && isFields(value["metadata"]);
}

/** Parsed paths. Paths are constants of the program, so there are few, and each is used very often. */
const steps = new Map<string, readonly string[]>();

/** The value at a dotted path of plain field names (`status.replicas`). Undefined when the path ends early. */
export function valueAt(value: unknown, path: string): unknown {
  let names = steps.get(path);
  if (names === undefined) steps.set(path, (names = path.split(".")));
  let at: unknown = value;
  // An index, since this is where much of the time of many objects goes.
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (!isFields(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

export function numberAt(value: unknown, path: string, otherwise: number): number;
export function numberAt(value: unknown, path: string): number | undefined;
export function numberAt(value: unknown, path: string, otherwise?: number): number | undefined {
  const found = valueAt(value, path);
  return typeof found === "number" ? found : otherwise;
}

export function stringAt(value: unknown, path: string, otherwise: string): string;
export function stringAt(value: unknown, path: string): string | undefined;
export function stringAt(value: unknown, path: string, otherwise?: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : otherwise;
}

export function booleanAt(value: unknown, path: string, otherwise = false): boolean {
  const found = valueAt(value, path);
  return typeof found === "boolean" ? found : otherwise;
}

/** The plain objects of the list at `path`. Empty when there is no list. */
export function listAt(value: unknown, path: string): readonly Fields[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isFields) : [];
}

/** The strings of the list at `path`. Empty when there is no list. */
export function stringsAt(value: unknown, path: string): readonly string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

/** The plain object at `path`. Empty when there is none. */
export function fieldsAt(value: unknown, path: string): Fields {
  const found = valueAt(value, path);
  return isFields(found) ? found : {};
}

/** The string values of the map at `path`. Empty when there is none. */
export function mapAt(value: unknown, path: string): Readonly<Record<string, string>> {
  const found = Object.entries(fieldsAt(value, path)).filter(([, item]) => typeof item === "string");
  return Object.fromEntries(found) as Record<string, string>;
}

export type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
};

/** The well-formed conditions of an object's status. */
export function conditionsOf(object: unknown): readonly Condition[] {
  return listAt(object, "status.conditions").filter(
    (item) => typeof item["type"] === "string" && typeof item["status"] === "string",
  ) as unknown as readonly Condition[];
}

/** Finds the condition of a type, and optionally of a status. Models apimachinery pkg/api/meta FindStatusCondition */
export function findCondition(object: unknown, type: string, status?: string): Condition | undefined {
  return conditionsOf(object).find((item) => item.type === type && (status === undefined || item.status === status));
}
