import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { withinCost } from "../core/cost/index.ts";
import { Fault } from "../core/fault/index.ts";
import { loadArchive, loadChart, readValues, unpackArchive } from "./index.ts";
import { tarOf, type ArchiveEntry } from "../../test/support/chart/packaged-chart.ts";

const chart: ArchiveEntry = { name: "web/Chart.yaml", content: "name: web" };

// The messages are those of helm pkg/chart/loader/archive.
const refused: readonly (readonly [string, readonly ArchiveEntry[], string])[] = [
  ["a path to the parent", [chart, { name: "web/../../etc/passwd" }], "chart illegally references parent directory"],
  ["a path to the parent further down", [chart, { name: "web/a/../../../x" }], "chart illegally references parent directory"],
  ["an absolute path", [chart, { name: "web//etc/passwd" }], "chart illegally contains absolute paths"],
  ["a file beside the folder", [{ name: "values.yaml" }], 'chart illegally contains content outside the base directory: "values.yaml"'],
  ["a drive of Windows", [chart, { name: "web\\c:\\x" }], "chart contains illegally named files"],
  ["Chart.yaml as a folder", [{ name: "Chart.yaml/x" }], "chart yaml not in base directory"],
  ["nothing", [], "no files in chart archive"],
  ["folders alone", [{ name: "web/", type: "5" }], "no files in chart archive"],
  [
    "a file that is too large",
    [{ name: "web/big", content: Buffer.alloc(5 * 2 ** 20 + 1) }],
    'decompressed chart file "web/big" is larger than the maximum file size 5242880',
  ],
  ["less than it promises", [{ name: "web/x", content: "x", size: 5000 }], "unexpected EOF"],
];

for (const [what, entries, message] of refused) {
  test(`an archive with ${what} is refused`, () => assert.throws(() => unpackArchive(gzipSync(tarOf(entries))), { message }));
}

const names: readonly (readonly [string, readonly ArchiveEntry[], readonly string[]])[] = [
  ["the first folder is left out", [{ name: "x/a/b" }], ["a/b"]],
  ["paths are tidied", [{ name: "x/./a//b" }], ["a/b"]],
  ["backslashes part as well", [{ name: "x\\a\\b" }], ["a/b"]],
  ["GNU's long names", [{ name: "././@LongLink", type: "L", content: `x/${"n".repeat(150)}\0` }, { name: "short" }], ["n".repeat(150)]],
  ["names of pax", [{ name: "PaxHeader", type: "x", content: "14 path=x/öl\n" }, { name: "short" }], ["öl"]],
  ["what holds for all is no file", [{ name: "pax_global_header", type: "g", content: "x" }, { name: "x/a" }], ["a"]],
];

for (const [what, entries, expected] of names) {
  test(`names: ${what}`, () =>
    assert.deepEqual(
      unpackArchive(gzipSync(tarOf(entries))).map(({ name }) => name),
      expected,
    ));
}

test("nothing is read through a link", () => {
  const [file] = unpackArchive(gzipSync(tarOf([{ name: "x/passwd", type: "2" }])));
  assert.deepEqual([file?.name, file?.data.length], ["passwd", 0]);
});

test("the mark of an editor is left out", () => {
  const [file] = unpackArchive(gzipSync(tarOf([{ name: "x/a", content: "\uFEFFtext" }])));
  assert.equal(Buffer.from(file?.data ?? []).toString(), "text");
});

test("what would unpack to more than a chart may have is not unpacked", () => {
  const bomb = gzipSync(Buffer.alloc(110 * 2 ** 20), { level: 1 });
  const before = process.memoryUsage().arrayBuffers;
  const tooLarge = { message: "decompressed chart is larger than the maximum size 104857600" };
  assert.throws(() => unpackArchive(bomb), tooLarge);
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 2 ** 20, "not unpacked to the end");
  const liar = Buffer.from(bomb);
  liar.writeUInt32LE(10, liar.length - 4);
  assert.throws(() => unpackArchive(liar), tooLarge);
});

const broken: Readonly<Record<string, readonly [Uint8Array, string]>> = {
  "an empty file": [new Uint8Array(), "EOF"],
  "a text": [Buffer.from("name: not an archive"), "gzip: invalid header"],
  "half an archive": [gzipSync(tarOf([chart])).subarray(0, 60), "unexpected EOF"],
  "gzip without tar": [gzipSync("x".repeat(600)), "archive/tar: invalid tar header"],
};

for (const [what, [bytes, message]] of Object.entries(broken)) {
  test(`${what} is no chart`, () => assert.throws(() => unpackArchive(bytes), { message }));
}

test("whatever is in it, an archive gives files or a fault", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      for (const archive of [bytes, gzipSync(bytes)]) {
        try {
          unpackArchive(archive);
        } catch (error) {
          assert.ok(error instanceof Fault);
        }
      }
    }),
  );
});

/** An archive of a chart with these files in it. */
function packed(name: string, files: Readonly<Record<string, Uint8Array | string>>): Uint8Array {
  const entries = Object.entries({ "Chart.yaml": `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, ...files });
  return gzipSync(tarOf(entries.map(([path, content]) => ({ name: `${name}/${path}`, content }))));
}

test("charts in charts share what they may unpack to", () => {
  const large = packed("large", Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`f${index}`, Buffer.alloc(5 * 2 ** 20)])));
  const charts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`charts/c${index}.tgz`, large]));
  const bomb = packed("bomb", charts);
  const before = process.memoryUsage().arrayBuffers;
  assert.throws(
    () => loadArchive(bomb),
    (error) => {
      assert.match(
        String(error instanceof Fault && error.message),
        /error unpacking subchart c\d+\.tgz in bomb: .*larger than the maximum size 104857600/,
      );
      return true;
    },
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 28, "no more than a chart may have was unpacked");
});

test("charts that are nested without an end are refused", () => {
  const files = Array.from({ length: 70 }, (_, depth) => {
    const folder = "charts/c/".repeat(depth);
    return { name: `${folder}Chart.yaml`, data: Buffer.from("apiVersion: v2\nname: c\nversion: 1.0.0\n") };
  });
  assert.throws(() => loadChart(files), /charts are nested more than 64 deep$/);
});

test("values are charged by the collections in them", () => {
  const values = `a: [${"{},".repeat(10_000)}]\n`;
  assert.throws(() => withinCost({ cost: 2 ** 20 }, () => readValues(values)), /takes more than the 1048576 bytes/);
});
