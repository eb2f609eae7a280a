import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { serviceFrom, eventSourceOf } from "../../../test/support/evaluate/event-sources.ts";
import { explain } from "./index.ts";

const services = 'resourceSelectors:\n- group: ""\n  version: v1\n  kind: Service\n';

const cases: readonly [what: string, spec: string, object: KubeObject, expected: string][] = [
  ["any object of the kind", services, serviceFrom("a/x"), "matching"],
  ["another kind", services, { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } }, "different: no selector is about v1 Secret"],
  ["the namespace", `${services}  namespace: eng\n`, serviceFrom("eng/x"), "matching"],
  ["another namespace", `${services}  namespace: eng\n`, serviceFrom("web/x"), "different: it is in namespace web, not in eng"],
  ["the name", `${services}  name: x\n`, serviceFrom("eng/x"), "matching"],
  ["another name", `${services}  name: x\n`, serviceFrom("eng/y"), "different: its name is not x"],
  ["a label", `${services}  labelFilters: [{key: a, operation: Equal, value: "1"}]\n`, serviceFrom("n/x a=1"), "matching"],
  [
    "another label",
    `${services}  labelFilters: [{key: a, operation: Equal, value: "1"}]\n`,
    serviceFrom("n/x a=2"),
    "different: its labels do not satisfy a in (1) (found a=2)",
  ],
  [
    "Different, which an object without the label satisfies",
    `${services}  labelFilters: [{key: a, operation: Different, value: "1"}]\n`,
    serviceFrom("n/x"),
    "matching",
  ],
  ["Has", `${services}  labelFilters: [{key: a, operation: Has}]\n`, serviceFrom("n/x"), "different: its labels do not satisfy a"],
  ["DoesNotHave", `${services}  labelFilters: [{key: a, operation: DoesNotHave}]\n`, serviceFrom("n/x"), "matching"],
  [
    "a selector beside filters",
    `${services}  labelFilters: [{key: a, operation: Has}]\n  selector: {matchLabels: {b: c}}\n`,
    serviceFrom("n/x a=1 b=d"),
    "different: its labels do not satisfy a,b=c (found a=1,b=d)",
  ],
  [
    "an object that is being deleted",
    services,
    { ...serviceFrom("a/x"), metadata: { name: "x", namespace: "a", deletionTimestamp: "2026-01-01T00:00:00Z" } },
    "different: it is being deleted",
  ],
  [
    "the flat form of 2023",
    'group: ""\nversion: v1\nkind: Service\nlabelsFilters: [{key: a, operation: Equal, value: b}]\n',
    serviceFrom("n/x a=b"),
    "matching",
  ],
  [
    "CEL",
    `${services}  evaluateCEL: [{name: https, rule: "resource.spec.ports.exists(p, p.port == 443)"}]\n`,
    serviceFrom("n/x", [443]),
    "matching",
  ],
  [
    "CEL, which counts in integers",
    `${services}  evaluateCEL: [{name: odd, rule: "resource.spec.ports[0].port % 2 == 1"}]\n`,
    serviceFrom("n/x", [443]),
    "matching",
  ],
  [
    "a CEL rule that is false",
    `${services}  evaluateCEL: [{name: https, rule: "resource.spec.ports.exists(p, p.port == 443)"}]\n`,
    serviceFrom("n/x"),
    "different: CEL rule https is false",
  ],
  [
    "any of several rules",
    `${services}  evaluateCEL: [{name: a, rule: "false"}, {name: b, rule: "true"}]\n`,
    serviceFrom("n/x"),
    "matching",
  ],
  [
    "none of several rules",
    `${services}  evaluateCEL: [{name: a, rule: "false"}, {name: b, rule: "false"}]\n`,
    serviceFrom("n/x"),
    "different: CEL rules a, b are all false",
  ],
  [
    "a rule that fails on the object, which counts as false",
    `${services}  evaluateCEL: [{name: a, rule: "resource.metadata.labels.x == 'y'"}]\n`,
    serviceFrom("n/x"),
    "different: CEL rule a: no such key: labels",
  ],
  [
    "a rule that fails beside one that is true",
    `${services}  evaluateCEL: [{name: a, rule: "resource.metadata.labels.x == 'y'"}, {name: b, rule: "true"}]\n`,
    serviceFrom("n/x"),
    "matching",
  ],
  [
    "a rule that is no boolean",
    `${services}  evaluateCEL: [{name: a, rule: "1 + 1"}]\n`,
    serviceFrom("n/x"),
    "failed: CEL rule a: gives int; expected a rule that gives true or false",
  ],
  [
    "a rule that gives no boolean",
    `${services}  evaluateCEL: [{name: a, rule: "resource.kind"}]\n`,
    serviceFrom("n/x"),
    'failed: CEL rule a: gives "Service"; expected true or false',
  ],
];

for (const [what, spec, object, expected] of cases)
  test(`explain: ${what}`, () => {
    const result = explain(eventSourceOf(spec))(object);
    assert.equal(result.state === "matching" ? "matching" : `${result.state}: ${result.because}`, expected);
  });

test("a rule with a syntax error is reported with its position", () => {
  const result = explain(eventSourceOf(`${services}  evaluateCEL: [{name: a, rule: "resource.."}]\n`))(serviceFrom("n/x"));
  assert.ok(result.state === "failed");
  assert.match(result.because, /^CEL rule a: 1:10: Syntax error[^\n]*$/);
});
