import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Fault } from "../core/fault/index.ts";
import { loadIndex } from "./index-file.ts";
import { chooseTag, chooseVersion, versionsOfTags } from "./choose-version.ts";

const entry = (version: string, more = "") =>
  `  - {apiVersion: v2, name: web, version: ${version}, urls: [web-${version}.tgz], digest: ab${more}}`;
const indexOf = (...entries: readonly string[]) => `apiVersion: v1\nentries:\n  web:\n${entries.join("\n")}\n`;
const silent = () => undefined;

test("versions come with the highest first, by number and not by letter", () => {
  const index = loadIndex(indexOf(entry("1.9.0"), entry("1.10.0"), entry("2.0.0-rc.1"), entry("v1.2")), "here", silent);
  assert.deepEqual(
    index.get("web")?.map(({ version }) => version),
    ["2.0.0-rc.1", "1.10.0", "1.9.0", "v1.2"],
  );
  assert.deepEqual(index.get("web")?.[1], { version: "1.10.0", urls: ["web-1.10.0.tgz"], digest: "ab" });
});

test("JSON is an index too, and may say more than is known", () => {
  const index = loadIndex(
    JSON.stringify({ apiVersion: "v1", new: 1, entries: { a: [{ name: "a", version: "1.0.0", newer: 2 }] } }),
    "here",
    silent,
  );
  assert.deepEqual(index.get("a"), [{ version: "1.0.0", urls: [], digest: "" }]);
});

const skipped: Readonly<Record<string, readonly [string, string]>> = {
  "nothing at all": ["  - null", `chart "web" from here: empty entry`],
  "no name": ["  - {version: 1.0.0}", `chart "web" "1.0.0" from here: validation: chart.metadata.name is required`],
  "no version": ["  - {name: web}", `chart "web" "" from here: validation: chart.metadata.version is required`],
  "a version that is none": [
    "  - {name: web, version: newest}",
    `chart "web" "newest" from here: validation: chart.metadata.version "newest" is invalid`,
  ],
  "a name that is a path": [
    "  - {name: ../web, version: 1.0.0}",
    `chart "web" "1.0.0" from here: validation: chart.metadata.name "../web" is invalid`,
  ],
  "an unknown type": [
    "  - {name: web, version: 1.0.0, type: plugin}",
    `chart "web" "1.0.0" from here: validation: chart.metadata.type must be application or library`,
  ],
};

for (const [what, [bad, warning]] of Object.entries(skipped)) {
  test(`an entry with ${what} is left out, and the others stay`, () => {
    const warnings: string[] = [];
    const index = loadIndex(indexOf(bad, entry("1.0.0")), "here", (line) => warnings.push(line));
    assert.equal(index.get("web")?.length, 1);
    assert.deepEqual(warnings, [`skipping loading invalid entry for ${warning}`]);
  });
}

const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
  "an empty file": ["", /^empty index\.yaml file$/],
  "no version of the API": ["entries: {}\n", /^no API version specified$/],
  "a web page": ["<!DOCTYPE html><html>", /web page instead of an index/],
  "a text": ["hello", /cannot unmarshal string into Go value of type v1\.IndexFile/],
  "an unknown field": ["apiVersion: v1\nchart: []\n", /unknown field "chart"/],
  "an unknown field of a chart": [indexOf("  - {name: web, version: 1.0.0, colour: red}"), /unknown field "colour"/],
  "a key that is there twice": ["apiVersion: v1\napiVersion: v1\n", /already set in map|duplicate|mapping key/],
  "entries that are a list": ["apiVersion: v1\nentries: [a]\n", /cannot unmarshal array into Go struct field IndexFile\.entries/],
  "YAML that is broken": ["apiVersion: [v1\n", /error converting YAML to JSON/],
};

for (const [what, [text, message]] of Object.entries(refused)) {
  test(`an index with ${what} is refused`, () => assert.throws(() => loadIndex(text, "here", silent), { name: "Fault", message }));
}

test("whatever a server answers, it is an index or a fault", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((text) => `apiVersion: v1\nentries: ${text}\n`),
      ),
      (text) => {
        try {
          loadIndex(text, "here", silent);
        } catch (error) {
          assert.ok(error instanceof Fault, String(error));
        }
      },
    ),
  );
});

const offered = loadIndex(
  indexOf(...["1.0.0", "1.1.0", "1.1.0+b", "1.2.0-rc.1", "0.9.0"].map((version) => entry(version))),
  "here",
  silent,
);

const chosen: Readonly<Record<string, string>> = {
  "": "1.1.0",
  "1.0.0": "1.0.0",
  "1.1.0+b": "1.1.0+b",
  "~1.0": "1.0.0",
  "<1": "0.9.0",
  ">0.0.0-0": "1.2.0-rc.1",
  "^1.1": "1.1.0",
  "1.2.0-rc.1": "1.2.0-rc.1",
};

for (const [wanted, version] of Object.entries(chosen)) {
  test(`of version ${JSON.stringify(wanted)} the choice is ${version}`, () => {
    assert.equal(chooseVersion(offered, "web", wanted, assert.fail).version, version);
  });
}

test("a missing exact version is replaced with a warning", () => {
  const warnings: string[] = [];
  assert.equal(chooseVersion(offered, "web", "1.0", (line) => warnings.push(line)).version, "1.0.0");
  assert.equal(warnings.length, 1);
});

const unfound: Readonly<Record<string, readonly [string, string, RegExp]>> = {
  "a chart that is not there": ["db", "", /^no chart name found$/],
  "a version that is not there": ["web", "3.0.0", /^no chart version found for web-3\.0\.0$/],
  "a constraint that is none": ["web", "newest!", /^improper constraint/],
};

for (const [what, [name, version, message]] of Object.entries(unfound)) {
  test(`${what} is not chosen`, () => assert.throws(() => chooseVersion(offered, name, version, silent), { message }));
}

test("tags are versions if they are strictly so, with a plus sign for an underscore", () => {
  assert.deepEqual(versionsOfTags(["latest", "1.0.0", "v2.0.0", "1.2", "1.10.0_b.1", "1.9.0", "sha256-ab"]), [
    "1.10.0+b.1",
    "1.9.0",
    "1.0.0",
  ]);
  assert.equal(chooseTag(["1.10.0+b.1", "1.9.0", "1.0.0"], "~1.9"), "1.9.0");
  assert.equal(chooseTag(["2.0.0-a", "1.9.0"], ""), "1.9.0");
  assert.throws(() => chooseTag(["1.0.0"], "^2"), { message: "could not locate a version matching provided version string ^2" });
});
