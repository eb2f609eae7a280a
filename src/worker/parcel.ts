import { Fault } from "../core/fault/index.ts";
import { integerOf, isExactInteger } from "../core/object/index.ts";

/**
 * Data as it goes to another process. Structured cloning takes all of it but integers that a JavaScript number cannot hold, which
 * are put in their places afterwards.
 */
export type Parcel = { readonly content: unknown; readonly exactIntegers: readonly ExactPlace[] };

type ExactPlace = { readonly path: readonly unknown[]; readonly digits: string };

/** A place in the data: a key of what is at the place above. */
type Place = { readonly above: Place; readonly key: unknown } | undefined;

/** Packs data. Throws a Fault when its texts and bytes are larger than `maxBytes`. */
export function packed(content: unknown, maxBytes = Infinity): Parcel {
  const exactIntegers: ExactPlace[] = [];
  // What is at several places goes over once, and is one object on the other side too.
  const seen = new Set<object>();
  const pending: { readonly value: unknown; readonly place: Place }[] = [{ value: content, place: undefined }];
  let bytes = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, place } = next;
    if (typeof value === "string") bytes += value.length;
    if (value instanceof Uint8Array) bytes += value.length;
    if (bytes > maxBytes) throw new Fault(`it is larger than ${Math.round(maxBytes / 2 ** 20)} MiB`, undefined, { final: true });
    if (typeof value !== "object" || value === null || value instanceof Uint8Array || seen.has(value)) continue;
    if (isExactInteger(value)) {
      exactIntegers.push({ path: pathOf(place), digits: value.rawJSON });
      continue;
    }
    seen.add(value);
    for (const [key, element] of elementsOf(value)) pending.push({ value: element, place: { above: place, key } });
  }
  return { content: exactIntegers.length === 0 ? content : withoutExactIntegers(content, seen), exactIntegers };
}

/** What was packed. */
export function unpacked({ content, exactIntegers }: Parcel): unknown {
  const whole = [content];
  for (const { path, digits } of exactIntegers) setAt(whole, [0, ...path], integerOf(BigInt(digits)));
  return whole[0];
}

/** A copy of all objects, which has nothing where an exact integer is. */
function withoutExactIntegers(content: unknown, objects: ReadonlySet<object>): unknown {
  const copies = new Map<unknown, object>(
    [...objects].map((each) => [each, Array.isArray(each) ? [] : each instanceof Map ? new Map() : {}]),
  );
  for (const [source, copy] of copies)
    for (const [key, element] of elementsOf(Object(source)))
      setElement(copy, key, copies.get(element) ?? (isExactInteger(element) ? undefined : element));
  return copies.get(content);
}

function elementsOf(value: object): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(value)) return value.entries();
  return value instanceof Map ? value : Object.entries(value);
}

function pathOf(place: Place): readonly unknown[] {
  const path: unknown[] = [];
  for (let at = place; at !== undefined; at = at.above) path.push(at.key);
  return path.toReversed();
}

function setAt(whole: object, path: readonly unknown[], value: unknown): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at instanceof Map ? at.get(key) : Reflect.get(Object(at), String(key))), whole);
  setElement(Object(holder), path.at(-1), value);
}

function setElement(holder: object, key: unknown, value: unknown): void {
  if (holder instanceof Map) holder.set(key, value);
  else Object.defineProperty(holder, String(key), { value, enumerable: true, writable: true, configurable: true });
}
