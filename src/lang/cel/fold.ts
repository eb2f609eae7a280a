import type { FoldExpr } from "./ast.ts";
import { settles } from "./branch.ts";
import { fail, noSuchOverload, type CelFailure } from "./failure.ts";
import type { ExecutionFrame, Planner, Interpretable } from "./planner.ts";
import { printValue } from "./print.ts";
import { Entries, Items, ListValue, MapValue, typeNameOf, type CelValue } from "./value.ts";

/** The range of a comprehension: its size, and the values of the one or two variables at each step. */
type Range = { readonly size: number; readonly first: (index: number) => CelValue; readonly second: (index: number) => CelValue };

type Loop = {
  readonly range: (frame: ExecutionFrame) => Range;
  /** Sets the variables of a step. */
  readonly enter: (frame: ExecutionFrame, range: Range, index: number) => void;
  /** Whether a step passes the condition. */
  readonly condition: (frame: ExecutionFrame) => boolean;
  readonly body: Interpretable;
};

/** Plans a comprehension macro as a loop. The costs are those of the comprehension that cel-go expands the macro to. */
export function planFold(fold: FoldExpr, planner: Planner): Interpretable {
  const given = planner.plan(fold.range);
  const isPair = fold.second !== undefined;
  const names = fold.second === undefined ? [fold.variable] : [fold.variable, fold.second];
  return planner.within(names, (first = 0, second = -1) => {
    const condition = fold.condition === undefined ? undefined : planner.plan(fold.condition);
    const loop: Loop = {
      range: (frame) => rangeOf(given(frame), isPair),
      enter: ({ slots }, range, index) => {
        slots[first] = range.first(index);
        if (second >= 0) slots[second] = range.second(index);
      },
      condition: (frame) => condition === undefined || truth(condition(frame)),
      body: planner.plan(fold.body),
    };
    return runnerOf(fold.macro, loop);
  });
}

function runnerOf(macro: FoldExpr["macro"], loop: Loop): Interpretable {
  switch (macro) {
    case "all":
      return quantify(loop, false, 2);
    case "exists":
      return quantify(loop, true, 3);
    case "existsOne":
      return existsOne(loop);
    case "filter":
      return filter(loop);
    case "map":
    case "transformList":
      return transformList(loop);
    case "transformMap":
      return transformMap(loop, (map, range, index, value) => insert(map, range.first(index), value), 3);
    case "transformMapEntry":
      return transformMap(loop, (map, _range, _index, value) => insertAll(map, value), 2);
  }
}

function rangeOf(value: CelValue, isPair: boolean): Range {
  if (value instanceof ListValue) {
    const at = (index: number): CelValue => value.at(index);
    return { size: value.size, first: isPair ? BigInt : at, second: at };
  }
  if (!(value instanceof MapValue)) return fail(`got '${goNameOf(value)}', expected iterable type`);
  const keys = value.keys();
  const key = (index: number): CelValue => keys[index] ?? null;
  return { size: keys.length, first: key, second: (index) => value.find(key(index)) ?? null };
}

/** cel-go's message names its Go types. */
function goNameOf(value: CelValue): string {
  const name = value === null ? "null" : typeNameOf(value);
  return `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function truth(value: CelValue): boolean {
  return typeof value === "boolean" ? value : noSuchOverload();
}

/** `all` and `exists`: `&&` and `||` over the elements. */
function quantify({ range, enter, body }: Loop, settling: boolean, overhead: number): Interpretable {
  return (frame) => {
    const over = range(frame);
    let failure: CelFailure | undefined;
    for (let index = 0; index < over.size; index++) {
      frame.meter.charge(overhead + 1);
      enter(frame, over, index);
      const outcome = settles(body, frame, settling);
      if (outcome === true) {
        frame.meter.charge(index + 1 < over.size ? overhead + 1 : 1);
        return settling;
      }
      if (outcome !== false) failure ??= outcome;
    }
    frame.meter.charge(1);
    if (failure !== undefined) throw failure;
    return !settling;
  };
}

function existsOne({ range, enter, body }: Loop): Interpretable {
  return (frame) => {
    const over = range(frame);
    let count = 0;
    for (let index = 0; index < over.size; index++) {
      enter(frame, over, index);
      if (!truth(body(frame))) continue;
      frame.meter.charge(2);
      count++;
    }
    frame.meter.charge(2);
    return count === 1;
  };
}

function filter({ range, enter, body }: Loop): Interpretable {
  return (frame) => {
    const over = range(frame);
    const kept: CelValue[] = [];
    for (let index = 0; index < over.size; index++) {
      enter(frame, over, index);
      if (!truth(body(frame))) continue;
      frame.meter.charge(13);
      kept.push(over.first(index));
    }
    frame.meter.charge(1);
    return new Items(kept);
  };
}

function transformList({ range, enter, condition, body }: Loop): Interpretable {
  return (frame) => {
    const over = range(frame);
    const results: CelValue[] = [];
    for (let index = 0; index < over.size; index++) {
      enter(frame, over, index);
      if (!condition(frame)) continue;
      results.push(body(frame));
      frame.meter.charge(12);
    }
    frame.meter.charge(1);
    return new Items(results);
  };
}

type Put = (map: Entries, range: Range, index: number, value: CelValue) => void;

function transformMap({ range, enter, condition, body }: Loop, put: Put, overhead: number): Interpretable {
  return (frame) => {
    const over = range(frame);
    const map = new Entries();
    for (let index = 0; index < over.size; index++) {
      enter(frame, over, index);
      if (!condition(frame)) continue;
      const value = body(frame);
      frame.meter.charge(overhead);
      put(map, over, index, value);
    }
    frame.meter.charge(1);
    return map;
  };
}

function insert(map: Entries, key: CelValue, value: CelValue): void {
  if (map.has(key)) fail(`insert failed: key ${printValue(key)} already exists`);
  map.put(key, value);
}

function insertAll(map: Entries, entries: CelValue): void {
  if (!(entries instanceof MapValue)) return noSuchOverload();
  for (const key of entries.keys()) insert(map, key, entries.find(key) ?? null);
}
