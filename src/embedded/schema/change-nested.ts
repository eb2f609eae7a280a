import { isFields, setField, type Fields, type MutableFields } from "../../core/object/index.ts";

/** What a field or an item becomes: nothing, or a value. With a place, what is in that value changes too. */
export type NestedChange<P> = { readonly value: unknown; readonly place?: P | undefined } | undefined;

/** A collection whose parts are being changed. */
type OpenCollection<P> = {
  readonly value: Fields | readonly unknown[];
  readonly place: P;
  /** The keys of an object; of a list, nothing. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  at: number;
  /** A copy, from the first part on that is another. */
  copy: MutableFields | unknown[] | undefined;
};

/**
 * Changes what is in a value, the outer parts before the inner ones. The same value when nothing changes; what does not change is
 * shared. A field that becomes nothing is removed. Values may be nested deeper than the stack allows.
 */
export function changeNested<P>(
  value: unknown,
  place: P,
  change: (child: unknown, key: string | number, place: P) => NestedChange<P>,
): unknown {
  const outermost = opened(value, place);
  if (outermost === undefined) return value;
  const open = [outermost];
  for (let inner = outermost; ;) {
    if (inner.at < inner.size) {
      const key = inner.keys === undefined ? inner.at : inner.keys[inner.at]!;
      const next = change(partOf(inner), key, inner.place);
      const below = next?.place === undefined ? undefined : opened(next.value, next.place);
      if (below === undefined) settle(inner, next?.value);
      else {
        open.push(below);
        inner = below;
      }
      continue;
    }
    open.pop();
    const outer = open.at(-1);
    if (outer === undefined) return inner.copy ?? inner.value;
    settle(outer, inner.copy ?? inner.value);
    inner = outer;
  }
}

function opened<P>(value: unknown, place: P): OpenCollection<P> | undefined {
  if (Array.isArray(value)) return { value, place, keys: undefined, size: value.length, at: 0, copy: undefined };
  if (!isFields(value)) return undefined;
  const keys = Object.keys(value);
  return { value, place, keys, size: keys.length, at: 0, copy: undefined };
}

function partOf<P>({ value, keys, at }: OpenCollection<P>): unknown {
  return keys === undefined ? (value as readonly unknown[])[at] : (value as Fields)[keys[at]!];
}

/** The part becomes `next`, and the part after it comes. */
function settle<P>(open: OpenCollection<P>, next: unknown): void {
  const { value, keys, at } = open;
  if (next !== partOf(open)) {
    if (keys === undefined) ((open.copy ??= [...(value as readonly unknown[])]) as unknown[])[at] = next;
    else {
      const copy = (open.copy ??= { ...(value as Fields) }) as MutableFields;
      if (next === undefined) delete copy[keys[at]!];
      else setField(copy, keys[at]!, next);
    }
  }
  open.at++;
}
