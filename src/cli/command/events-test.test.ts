import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { plainPaint } from "../../view/index.ts";
import { run } from "../program.ts";
import { eventsTest } from "./events-test.ts";

const root = mkdtempSync(join(tmpdir(), "sluice-events-"));
after(() => rmSync(root, { recursive: true, force: true }));

let count = 0;

/** A new folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(count++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function tried(folder: string, ...flags: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const code = await run(["events", "test", folder, ...flags], {
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
    paint: plainPaint,
  });
  return { code, out: lines.join("\n").replaceAll(`${folder}/`, "").replaceAll(folder, ".") };
}

const head = "apiVersion: lib.projectsveltos.io/v1beta1\nkind: EventSource\nmetadata: {name: es}\n";
const labelled = `${head}spec:
  resourceSelectors:
  - group: ""
    version: v1
    kind: Service
    labelFilters: [{key: a, operation: Equal, value: b}]
`;
const service = (name: string, labels: string) => `---\napiVersion: v1\nkind: Service\nmetadata: {name: ${name}, labels: ${labels}}\n`;

test("the examples match as expected", async () => {
  const { code, out } = await tried(join(import.meta.dirname, "../../../examples/events"));
  assert.equal(code, 0, out);
  assert.match(out, /8 EventSources, 30 objects: all as expected$/);
});

test("folders in folders are tried, with a line for every object", async () => {
  const folder = folderOf({
    "one/eventsource.yaml": labelled,
    "one/matching.yaml": service("x", "{a: b}"),
    "two/deep/eventsource.yaml": labelled,
    "two/deep/non-matching.yaml": service("w", "{a: c}"),
    "two/notes.yaml": "no: manifest",
  });
  assert.deepEqual(await tried(folder), {
    code: 0,
    out: [
      "one: es",
      "  ✓ service/x matches",
      "two/deep: es",
      "  ✓ service/w does not match: its labels do not satisfy a in (b) (found a=c)",
      "2 EventSources, 2 objects: all as expected",
    ].join("\n"),
  });
});

test("an unexpected result is exit code 1, with file and line", async () => {
  const folder = folderOf({
    "eventsource.yaml": labelled,
    "matching.yaml": service("x", "{a: b}") + service("w", "{}"),
    "non-matching.yaml": service("z", "{a: b}"),
  });
  assert.deepEqual(await tried(folder), {
    code: 1,
    out: [
      ".: es",
      "  ✓ service/x matches",
      "  ✗ matching.yaml:6: service/w does not match: its labels do not satisfy a in (b); expected a match",
      "  ✗ non-matching.yaml:2: service/z matches; expected no match",
      "1 EventSource, 3 objects: 1 EventSource not as expected",
    ].join("\n"),
  });
});

test("the same as JSON", async () => {
  const folder = folderOf({ "eventsource.yaml": labelled, "matching.yaml": service("w", "{}") });
  const { code, out } = await tried(folder, "-o", "json");
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), {
    passed: false,
    folders: [
      {
        folder: ".",
        eventSource: "es",
        passed: false,
        problems: [],
        objects: [
          {
            at: "matching.yaml:2",
            apiVersion: "v1",
            kind: "Service",
            namespace: "",
            name: "w",
            expected: "matching",
            found: "different",
            message: "",
            because: "its labels do not satisfy a in (b)",
            passed: false,
          },
        ],
      },
    ],
  });
});

const bad: readonly [what: string, files: Readonly<Record<string, string>>, expected: RegExp][] = [
  ["an EventSource that is no YAML", { "eventsource.yaml": "a: [\n" }, /✗ eventsource\.yaml:\d+: /],
  [
    "an EventSource with a field that is wrong",
    { "eventsource.yaml": `${head}spec:\n  resourceSelectors:\n  - group: ""\n    version: v1\n    kind: 5\n` },
    /✗ eventsource\.yaml:8: spec\.resourceSelectors\[0\]\.kind: found 5, expected/,
  ],
  [
    "an EventSource without a selector",
    { "eventsource.yaml": `${head}spec: {}\n` },
    /✗ eventsource\.yaml:4: spec\.resourceSelectors: is missing/,
  ],
  [
    "an EventSource that is something else",
    { "eventsource.yaml": service("x", "{}") },
    /✗ eventsource\.yaml:2: v1 Service; expected an EventSource/,
  ],
  [
    "two EventSources",
    { "eventsource.yaml": `${labelled}---\n${labelled}` },
    /✗ eventsource\.yaml:11: a second object begins here; expected one EventSource/,
  ],
  [
    "an EventSource with what is not built",
    { "eventsource.yaml": `${labelled}  messagingMatchCriteria: [{subject: x}]\n` },
    /✗ eventsource\.yaml:1: not built into Sluice.*spec\.messagingMatchCriteria/,
  ],
  ["an empty EventSource", { "eventsource.yaml": "" }, /✗ eventsource\.yaml: is empty; expected an EventSource/],
  [
    "objects that are none",
    { "eventsource.yaml": labelled, "matching.yaml": "apiVersion: v1\nmetadata: {name: x}\n" },
    /✗ matching\.yaml:1: kind is missing/,
  ],
  ["no objects", { "eventsource.yaml": labelled }, /✗ \.: holds no objects to try eventsource\.yaml on/],
  [
    "a script that is no Lua",
    { "eventsource.yaml": `${labelled}    evaluate: |\n      function evaluate(\n` },
    /✗ eventsource\.yaml:11: spec\.resourceSelectors\[0\]\.evaluate: es:\d+: /,
  ],
  [
    "a flat script that is no Lua",
    { "eventsource.yaml": `${head}spec:\n  version: v1\n  kind: Service\n  script: "x ="\n` },
    /✗ eventsource\.yaml:7: spec\.script: es:1: /,
  ],
  [
    "a CEL rule that cannot be read",
    { "eventsource.yaml": `${labelled}    evaluateCEL: [{name: a, rule: "1 +"}]\n` },
    /✗ eventsource\.yaml:10: spec\.resourceSelectors\[0\]\.evaluateCEL: CEL rule a: 1:4: Syntax error/,
  ],
  [
    "an aggregating script that is no Lua",
    { "eventsource.yaml": `${labelled}  aggregatedSelection: "function"\n` },
    /✗ eventsource\.yaml:10: spec\.aggregatedSelection: es:1: /,
  ],
  [
    "one object twice in a cluster",
    {
      "eventsource.yaml": `${labelled}  aggregatedSelection: return\n`,
      "matching.yaml": service("x", "{}"),
      "non-matching.yaml": service("x", "{}"),
    },
    /✗ non-matching\.yaml:2: service\/x is also at matching\.yaml:2/,
  ],
];

for (const [what, files, expected] of bad)
  test(`a folder with ${what} is exit code 1`, async () => {
    const { code, out } = await tried(folderOf(files));
    assert.equal(code, 1);
    assert.match(out, expected);
  });

test("a folder without EventSources is a mistake", async () => {
  const { code, out } = await tried(folderOf({ "a.yaml": "" }));
  assert.equal(code, 1);
  assert.match(out, /^error: no eventsource\.yaml at or below/);
  assert.match((await tried(join(root, "nowhere"))).out, /^error: read .*ENOENT/);
});

test("with --watch it begins anew when a file changes", async () => {
  const folder = folderOf({ "eventsource.yaml": labelled, "matching.yaml": service("x", "{}") });
  const stop = new AbortController();
  const sums: string[] = [];
  const out = (line: string) => {
    if (!/^\d/.test(line)) return;
    sums.push(line);
    // A change that comes before the watch is in place would be seen by the first look.
    if (sums.length === 1) writeFileSync(join(folder, "matching.yaml"), service("x", "{a: b}"));
    if (line.endsWith("all as expected")) stop.abort();
  };
  const code = await eventsTest(folder, { watch: true, output: "text" }, { out, err: assert.fail, paint: plainPaint }, stop.signal);
  assert.equal(code, 0);
  assert.equal(sums[0], "1 EventSource, 1 object: 1 EventSource not as expected");
  assert.equal(sums.at(-1), "1 EventSource, 1 object: all as expected");
});
