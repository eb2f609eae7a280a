import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { elementOfItem } from "./list-item.ts";
import type { PathElement } from "./path-element.ts";
import { formOf, typeOfField, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { ownField } from "./value.ts";

/**
 * Merges an applied value into a live one: maps and keyed lists are merged, leaves are taken from the applied value,
 * nothing is removed. Both values fit the type. Unchanged parts are shared with `live`. Models structured-merge-diff
 * typed/merge.go
 */
export function mergeTyped(live: unknown, applied: unknown, type: MergeType): unknown {
  const nested = nestedMerge(live, applied, type);
  return nested === undefined ? appliedOrLive(live, applied) : runNested(nested);
}

function appliedOrLive(live: unknown, applied: unknown): unknown {
  return applied === undefined ? live : applied;
}

/** The merge of two maps or lists; undefined where the applied value is taken as it is, if there is one. */
function nestedMerge(live: unknown, applied: unknown, type: MergeType): Nested<unknown> | undefined {
  if (applied === undefined || live === undefined || live === applied) return undefined;
  switch (formOf(type, applied)) {
    case "map": {
      const left = isFields(live) ? live : {};
      const right = isFields(applied) ? applied : {};
      return type.map!.atomic || (isBare(left) && isBare(right)) ? undefined : mergeMaps(left, right, type.map!);
    }
    case "list": {
      const left: readonly unknown[] = Array.isArray(live) ? live : [];
      const right: readonly unknown[] = Array.isArray(applied) ? applied : [];
      return type.list!.atomic || (left.length === 0 && right.length === 0) ? undefined : mergeLists(left, right, type.list!);
    }
    case "scalar":
    case undefined:
      return undefined;
  }
}

function isBare(value: Fields): boolean {
  for (const _ in value) return false;
  return true;
}

function* mergeMaps(live: Fields, applied: Fields, map: MapType): Nested<Fields> {
  let changed: [string, unknown][] | undefined;
  for (const name in applied) {
    const type = typeOfField(map, name);
    const before = ownField(live, name);
    const nested = type === undefined ? undefined : nestedMerge(before, applied[name], type);
    const value =
      nested !== undefined ? yield* callNested(nested) : type === undefined ? applied[name] : appliedOrLive(before, applied[name]);
    if (value !== before) (changed ??= []).push([name, value]);
  }
  return changed === undefined ? live : { ...live, ...Object.fromEntries(changed) };
}

type Indexed = {
  readonly elements: readonly PathElement[];
  /** The item of each path element; null for duplicates, which are not merged. */
  readonly items: ReadonlyMap<PathElement, unknown>;
};

function indexed(items: readonly unknown[], list: ListType): Indexed {
  const elements: PathElement[] = [];
  const found = new Map<PathElement, unknown>();
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (element === undefined) continue;
    elements.push(element);
    found.set(element, found.has(element) ? null : item);
  }
  return { elements, items: found };
}

/** Items of one side keep their place between their neighbours; items of both sides come in the applied order. */
function* mergeLists(live: readonly unknown[], applied: readonly unknown[], list: ListType): Nested<readonly unknown[]> {
  const left = indexed(live, list);
  const right = indexed(applied, list);
  const out: unknown[] = [];
  const taken = new Set<PathElement>();
  const shared = right.elements.filter((element) => left.items.has(element));
  let nextShared = 0;
  const take = function* (element: PathElement): Nested<void> {
    taken.add(element);
    const [mine, theirs] = [left.items.get(element), right.items.get(element)];
    const nested = nestedMerge(mine, theirs, list.element);
    out.push(nested === undefined ? appliedOrLive(mine, theirs) : yield* callNested(nested));
  };
  for (let at = 0, to = 0; at < left.elements.length || to < right.elements.length;) {
    const mine = left.elements[at];
    const theirs = right.elements[to];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        yield* take(mine);
        at++;
        to++;
        nextShared++;
        continue;
      }
      if (right.items.has(mine) && nextShared < shared.length && shared[nextShared] !== mine) {
        at++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!right.items.has(mine)) {
        out.push(live[at]);
        at++;
        continue;
      }
      if (taken.has(mine)) at++;
    }
    if (theirs !== undefined) {
      yield* take(theirs);
      to++;
      if (shared[nextShared] === theirs) nextShared++;
    }
  }
  return out.length === live.length && out.every((item, at) => item === live[at]) ? live : out;
}
