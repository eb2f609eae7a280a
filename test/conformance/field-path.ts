import { findCondition, isFields, type Fields } from "../../src/core/object/index.ts";
import type { Show, Until } from "./conformance-case.ts";

/** The value at a dotted path. An item of a list is addressed by its index or by `field=value`; `\\.` is a dot in a name. */
export function fieldAt(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."))) {
    if (Array.isArray(found)) found = itemOf(found, name);
    else if (isFields(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

function itemOf(list: readonly unknown[], name: string): unknown {
  const equals = name.indexOf("=");
  return equals < 0 ? list[Number(name)] : list.find((item) => fieldAt(item, name.slice(0, equals)) === name.slice(equals + 1));
}

/** Tells whether an object satisfies `until`. An absent object is undefined. */
export function isAsExpected(object: unknown, until: Until): boolean {
  if (until === "gone") return object === undefined;
  if (object === undefined) return false;
  if (until === "present") return true;
  return Object.entries(until).every(([path, wanted]) => {
    return JSON.stringify(factAt(object, path) ?? null) === JSON.stringify(wanted);
  });
}

function factAt(object: unknown, path: string): unknown {
  const [, part, type = ""] = /^(condition|reason):(\w+)$/.exec(path) ?? [];
  if (part === undefined) return fieldAt(object, path);
  const found = findCondition(object, type);
  return part === "condition" ? found?.status : found?.reason;
}

/** Only the shown paths of an object, or of each item of a list. A Status is kept in full. */
export function projectFields(object: unknown, show: Show | undefined): unknown {
  if (show === undefined || !isFields(object) || object["kind"] === "Status") return object;
  const items = object["items"];
  if (Array.isArray(items)) return { items: items.map((item) => pick(item, show)) };
  return pick(object, show);
}

function pick(object: unknown, show: Show): Fields {
  return Object.fromEntries(show.map((path) => [path, fieldAt(object, path)]).filter(([, value]) => value !== undefined));
}
