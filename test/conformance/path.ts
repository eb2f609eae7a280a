import { condition, isFields, type Fields } from "../../src/object/index.ts";
import type { Show, Until } from "./case.ts";

/** What stands at a dotted path; a number steps into a list, `\\.` is a dot inside a name. */
export function at(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."))) {
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isFields(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

/** Tells whether an object (undefined: it is not there) is as it is waited for. */
export function holds(object: unknown, until: Until): boolean {
  if (until === "gone") return object === undefined;
  if (object === undefined) return false;
  if (until === "present") return true;
  return Object.entries(until).every(([path, wanted]) => {
    const found = path.startsWith("condition:") ? condition(object, path.slice("condition:".length))?.status : at(object, path);
    return JSON.stringify(found ?? null) === JSON.stringify(wanted);
  });
}

/** Only the shown paths of an object, or of each item of a list. A Status is shown in full. */
export function project(object: unknown, show: Show | undefined): unknown {
  if (show === undefined || !isFields(object) || object["kind"] === "Status") return object;
  const items = object["items"];
  if (Array.isArray(items)) return { items: items.map((item) => pick(item, show)) };
  return pick(object, show);
}

function pick(object: unknown, show: Show): Fields {
  return Object.fromEntries(show.map((path) => [path, at(object, path)]).filter(([, value]) => value !== undefined));
}
