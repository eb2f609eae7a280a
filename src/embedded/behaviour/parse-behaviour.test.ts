import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { lineFor } from "../../core/fault/index.ts";
import { goDuration, millisecondsOf, sample } from "./duration.ts";
import { parseBehaviour } from "./parse-behaviour.ts";
import { matchesGlob } from "./matches-glob.ts";
import { commandOutcomeOf } from "./command-outcome.ts";
import { fullImage, unpullable } from "./image.ts";

test("the example of the specification is read", () => {
  const { behaviour, problems } = parseBehaviour([
    {
      match: { image: "*/db:*", kind: "StatefulSet" },
      schedule: "50ms",
      pull: { lognormal: { p50: "4s", p95: "20s" }, cachedPerNode: true },
      init: "2s each",
      start: "1s",
      ready: { after: "25s" },
      fail: { exitCode: 1, at: "40s", times: 2, reason: "OOMKilled" },
      terminate: "3s",
    },
    { match: { kind: "Job" }, run: { uniform: ["5s", "60s"] }, result: { succeedAfterAttempts: 2 } },
    { match: { crd: "certificates.cert-manager.io" }, conditions: [{ type: "Ready", status: "True", after: "12s" }] },
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(behaviour.rules, [
    {
      match: { image: "*/db:*", kind: "StatefulSet" },
      schedule: { after: { fixed: 50 } },
      pull: { after: { lognormal: { p50: 4000, p95: 20_000 } }, cachedPerNode: true },
      init: { fixed: 2000 },
      start: { fixed: 1000 },
      ready: { after: { fixed: 25_000 } },
      fail: { exitCode: 1, at: { fixed: 40_000 }, times: 2, reason: "OOMKilled" },
      terminate: { after: { fixed: 3000 }, exitCode: 0 },
    },
    { match: { kind: "Job" }, run: { after: { uniform: [5000, 60_000] } }, result: { exitCode: 1, succeedAfterAttempts: 2 } },
    { match: { crd: "certificates.cert-manager.io" }, conditions: [{ type: "Ready", status: "True", after: { fixed: 12_000 } }] },
  ]);
});

const bad: Record<string, { given: unknown; problems: string[] }> = {
  "no list": {
    given: "fast",
    problems: ["behaviour: expected a list of rules, each with `match` and what is different for what it matches"],
  },
  "a word that is no rule": { given: ["fast"], problems: ['rules[0]: found "fast", expected a rule: { match: …, … }'] },
  "several things at once": {
    given: [{ match: { image: 5 }, start: "soon", raedy: "1s" }],
    problems: [
      "rules[0].match.image: found 5, expected a string",
      'rules[0].start: found "soon", expected a duration such as 500ms or 1m30s, { uniform: [1s, 5s] } or { lognormal: { p50: 4s, p95: 20s } }',
      "rules[0].raedy: unknown field; known here: match, overrules, schedule, pull, init, start, startup, ready, liveness, fail, run, result, terminate, logs, address, bind, conditions",
    ],
  },
  "an exit code that is none": {
    given: { rules: [{ fail: { exitCode: 256 } }] },
    problems: ["rules[0].fail.exitCode: found 256, expected an exit code from 0 to 255"],
  },
  "a label that must be quoted": {
    given: [{ match: { labels: { canary: true } } }],
    problems: ["rules[0].match.labels.canary: found true, expected a string (quote it)"],
  },
};

for (const [name, { given, problems }] of Object.entries(bad)) {
  test(`bad input: ${name}`, () => assert.deepEqual(parseBehaviour(given).problems.map(lineFor), problems));
}

test("whatever is given, reading it does not throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void parseBehaviour(value)));
  const field = fc.constantFrom(
    "match",
    "pull",
    "ready",
    "fail",
    "run",
    "result",
    "terminate",
    "logs",
    "conditions",
    "liveness",
    "schedule",
  );
  fc.assert(fc.property(fc.array(fc.dictionary(field, fc.jsonValue())), (rules) => void parseBehaviour(rules)));
});

for (const [text, ms] of Object.entries({
  "500ms": 500,
  "1.5s": 1500,
  "1m30s": 90_000,
  "2h": 7_200_000,
  "3": 3000,
  soon: undefined,
  "1d": undefined,
})) {
  test(`duration ${text}`, () => assert.equal(millisecondsOf(text), ms));
}

for (const [ms, text] of [
  [350, "350ms"],
  [1250, "1.25s"],
  [10_000, "10s"],
  [80_000, "1m20s"],
  [300_000, "5m0s"],
  [3_600_000, "1h0m0s"],
] as const) {
  test(`${ms} ms print as ${text}`, () => assert.equal(goDuration(ms), text));
}

test("samples follow their distribution", () => {
  const draws = Array.from({ length: 1000 }, (_, index) => sample({ lognormal: { p50: 4000, p95: 20_000 } }, (index + 0.5) / 1000));
  assert.ok(Math.abs(draws[500]! - 4000) < 100, String(draws[500]));
  assert.ok(Math.abs(draws[950]! - 20_000) < 2500, String(draws[950]));
  assert.equal(sample({ uniform: [10, 20] }, 0.5), 15);
});

const patterns: [string, string, boolean][] = [
  ["*/db:*", "registry.example.com/db:1", true],
  ["*/db:*", "registry.example.com/web:1", false],
  ["web", "web", true],
  ["web", "web-1", false],
  ["web-?", "web-1", true],
  ["*", "", true],
  ["a*b*c", "aXbYbZc", true],
  ["a*b*c", "aXbYbZ", false],
];

for (const [pattern, text, expected] of patterns) {
  test(`${text} is ${expected ? "" : "not "}like ${pattern}`, () => assert.equal(matchesGlob(pattern, text), expected));
}

const commands: [string[], string | undefined][] = [
  [["false"], "ends 0 with 1"],
  [["/bin/true"], "ends 0 with 0"],
  [["sleep", "30"], "ends 30000 with 0"],
  [["sleep", "infinity"], "does not end"],
  [["sh", "-c", "exit 1"], "ends 0 with 1"],
  [["sh", "-ec", "echo one; sleep 2 && echo 'two three'\nexit 3"], "ends 2000 with 3: 0 one, 2000 two three"],
  [["bash", "-c", "while true; do sleep 1; done"], undefined],
  [["bash", "-c", "./migrate.sh; exit 0"], undefined],
  [["nginx", "-g", "daemon off;"], undefined],
];

for (const [command, expected] of commands) {
  test(`${command.join(" ")} ${expected ?? "is not understood"}`, () => {
    const script = commandOutcomeOf({ name: "c", image: "busybox", command });
    const logs = script?.logs.map(({ after, line }) => `${after} ${line}`).join(", ") ?? "";
    const end = script?.endsAfter === undefined ? "does not end" : `ends ${script.endsAfter} with ${script.exitCode}`;
    assert.equal(script === undefined ? undefined : `${end}${logs === "" ? "" : `: ${logs}`}`, expected);
  });
}

const images: [string, string, string | undefined][] = [
  ["nginx", "docker.io/library/nginx:latest", undefined],
  ["bitnami/redis:7", "docker.io/bitnami/redis:7", undefined],
  ["localhost:5000/app:missing", "localhost:5000/app:missing", "localhost:5000/app:missing: not found"],
  ["registry.invalid/app:1", "registry.invalid/app:1", "dial tcp: lookup registry.invalid: no such host"],
];

for (const [image, full, error] of images) {
  test(`${image} is ${full}${error === undefined ? "" : " and cannot be pulled"}`, () => {
    assert.equal(fullImage(image), full);
    assert.equal(unpullable(image)?.endsWith(error ?? "-"), error === undefined ? undefined : true);
  });
}
