import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { trimFolder } from "./trim-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-trim-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const left = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("."));

test("the oldest files go until the others have at most so many bytes", () => {
  trimFolder(join(folder, "none"), 10);
  for (const [name, age] of [
    ["a/old.chart", 30],
    ["b/middle.chart", 20],
    ["b/new.chart", 10],
  ] as const) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "12345");
    utimesSync(join(folder, name), 1000 - age, 1000 - age);
  }
  trimFolder(folder, 15);
  assert.equal(left().length, 3);
  trimFolder(folder, 10);
  assert.deepEqual(left().toSorted(), ["b/middle.chart", "b/new.chart"]);
  trimFolder(folder, -1);
  assert.deepEqual(left(), []);
});
