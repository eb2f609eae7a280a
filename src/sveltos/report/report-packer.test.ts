import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { keyOf } from "../../core/object/index.ts";
import { compareRefs, type Match } from "../evaluate/index.ts";
import { ReportPacker } from "./index.ts";

const limits = { matches: 4, bytes: 100 };

/** A match whose size is its message. */
function matchOf(name: string, bytes: number): Match {
  return { ref: { group: "", version: "v1", kind: "Service", namespace: "default", name }, message: String(bytes) };
}

function sorted(matches: Iterable<Match>): readonly Match[] {
  return [...matches].toSorted((a, b) => compareRefs(a.ref, b.ref));
}

function packerOf(existing: ConstructorParameters<typeof ReportPacker>[0] = []): ReportPacker {
  return new ReportPacker(existing, ({ message }) => Number(message), limits);
}

function contentOf(packer: ReportPacker): string {
  return packer.parts.map((part) => `${part}:${packer.matchesIn(part).map(({ ref }) => ref.name)}`).join(" ");
}

const matchesOf = (names: string, bytes = 10) => sorted([...names].map((name) => matchOf(name, bytes)));

test("a report that is small has one part, in the order of reports", () => {
  const packer = packerOf();
  assert.deepEqual([...packer.pack(matchesOf("ca"))], [1]);
  assert.equal(contentOf(packer), "1:a,c");
  assert.deepEqual([...packer.pack(packer.matchesIn(1))], []);
});

test("a new match changes one part, and so does one that goes", () => {
  const packer = packerOf();
  const all = matchesOf("abcdefghij");
  packer.pack(all);
  assert.equal(contentOf(packer), "1:a,b,c,d 2:e,f,g,h 3:i,j");
  const more = sorted([...all, matchOf("A", 10)]);
  assert.deepEqual([...packer.pack(more)], [3]);
  assert.deepEqual([...packer.pack(more.filter(({ ref }) => ref.name !== "f"))], [2]);
  assert.equal(contentOf(packer), "1:a,b,c,d 2:e,g,h 3:A,i,j");
});

test("the parts of an existing report are kept, and one that is too large is divided", () => {
  const all = matchesOf("abcdef");
  const packer = packerOf([
    [1, all.slice(4).map(({ ref }) => ref)],
    [7, all.slice(0, 4).map(({ ref }) => ref)],
  ]);
  packer.pack(all);
  assert.equal(contentOf(packer), "1:e,f 7:a,b,c,d");
  const divided = packerOf([[1, all.map(({ ref }) => ref)]]);
  divided.pack(all);
  assert.equal(contentOf(divided), "1:a,b,c,d 2:e,f");
});

test("a match that is large has a part of its own; a part that it makes too large goes as a whole", () => {
  const packer = packerOf();
  const all = matchesOf("abcdef");
  packer.pack(sorted([...all, matchOf("g", 1000)]));
  assert.equal(contentOf(packer), "1:a,b,c,d 2:e,f 3:g");
  const [, , , , , f] = all;
  packer.pack(sorted([...all.filter((match) => match !== f), matchOf("f", 500), matchOf("g", 1000)]));
  assert.deepEqual(packer.parts.slice(0, 2), [1, 3]);
  assert.equal(contentOf(packer), "1:a,b,c,d 3:g 4:e 5:f");
});

test("parts that have become small are put into others, and the last matches are in the report itself", () => {
  const packer = packerOf();
  const all = matchesOf("abcdefghijkl");
  packer.pack(all);
  packer.pack(all.filter(({ ref }) => !"abcefgh".includes(ref.name)));
  assert.equal(contentOf(packer), "1:d 3:i,j,k,l");
  packer.pack(all.slice(-1));
  assert.equal(contentOf(packer), "1:l");
  packer.pack([]);
  assert.equal(contentOf(packer), "1:");
});

/** What a reader sees when the parts of `before` and `after` are written in the order of a writer, after each write. */
function* statesBetween(before: ReadonlyMap<number, readonly string[]>, after: ReadonlyMap<number, readonly string[]>) {
  const stored = new Map(before);
  let named = [...before.keys()];
  const read = () => new Set(named.flatMap((part) => stored.get(part) ?? []));
  for (const [part, keys] of after) {
    if (part === 1) continue;
    stored.set(part, keys);
    yield read();
  }
  stored.set(1, after.get(1)!);
  named = [...after.keys()];
  yield read();
}

test("at any time a reader sees every match that stays, each is in one part, and parts keep their limits", () => {
  const step = fc.record({ name: fc.integer({ min: 0, max: 30 }), bytes: fc.constantFrom(0, 5, 20, 60, 150) });
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 12 }), fc.nat({ max: 11 }), (rounds, restartAt) => {
      let packer = packerOf();
      const wanted = new Map<string, Match>();
      let before = new Map<number, readonly string[]>([[1, []]]);
      for (const [round, steps] of rounds.entries()) {
        if (round === restartAt)
          packer = packerOf(packer.parts.map((part) => [part, packer.matchesIn(part).map(({ ref }) => ref)] as const));
        const had = new Set(wanted.keys());
        for (const { name, bytes } of steps) {
          const match = matchOf(`n${name}`, bytes);
          if (bytes === 0) wanted.delete(keyOf(match.ref));
          else wanted.set(keyOf(match.ref), match);
        }
        packer.pack(sorted(wanted.values()));
        const after = new Map(packer.parts.map((part) => [part, packer.matchesIn(part).map(({ ref }) => keyOf(ref))] as const));
        const staying = [...wanted.keys()].filter((key) => had.has(key));
        for (const seen of statesBetween(before, after)) assert.ok(staying.every((key) => seen.has(key)));
        assert.deepEqual([...after.values()].flat().toSorted(), [...wanted.keys()].toSorted());
        for (const part of packer.parts) {
          const matches = packer.matchesIn(part);
          const bytes = matches.reduce((sum, { message }) => sum + Number(message), 0);
          assert.ok(matches.length <= 4 && (matches.length === 1 || bytes <= 200), `${matches.length} matches of ${bytes} bytes`);
        }
        before = after;
      }
    }),
  );
});

/** How many matches each part has by default. */
function partSizes(count: number, bytes: number): readonly number[] {
  const packer = new ReportPacker([], ({ message }) => Number(message));
  packer.pack(sorted(Array.from({ length: count }, (_, at) => matchOf(`m${at}`, bytes))));
  return packer.parts.map((part) => packer.matchesIn(part).length);
}

test("by default a part has at most 100 matches or 64 KiB", () => {
  assert.deepEqual(partSizes(100, 1), [100]);
  assert.deepEqual(partSizes(101, 1), [100, 1]);
  assert.deepEqual(partSizes(2, 32 * 1024), [2]);
  assert.deepEqual(partSizes(2, 32 * 1024 + 1), [1, 1]);
});
