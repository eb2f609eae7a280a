import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../../core/fault/index.ts";
import { labelKeyProblems, type KubeObject } from "../../../core/object/index.ts";
import { readYaml } from "../../../lang/yaml/index.ts";
import { readEventSource } from "./event-source.ts";
import { failureMessageOf } from "./read-result.ts";

const source = (spec: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "EventSource",
  metadata: { name: "sveltos-service", labels },
  spec: readYaml(spec, "spec"),
});

const service = { group: "", version: "v1", kind: "Service", namespace: "", name: "", selector: {}, evaluate: "", evaluateCEL: [] };
const labelled = { matchExpressions: [{ key: "sveltos", operator: "In", values: ["fv"] }] };
const filter = "[{ key: sveltos, operation: Equal, value: fv }]";

const readable: Readonly<Record<string, readonly [spec: string, normal: object]>> = {
  "flat, with the filter as the CRD spells it": [
    `{ collectResources: true, group: "", version: v1, kind: Service, labelFilters: ${filter} }`,
    { selectors: [{ ...service, selector: labelled }], collectResources: true },
  ],
  "flat, with the filter as seed 001 spells it": [
    `{ collectResources: true, group: "", version: v1, kind: Service, labelsFilters: ${filter} }`,
    { selectors: [{ ...service, selector: labelled }], collectResources: true },
  ],
  "flat, with a script and a namespace": [
    "{ version: v1, kind: Service, namespace: eng, script: function evaluate() end }",
    { selectors: [{ ...service, namespace: "eng", evaluate: "function evaluate() end" }] },
  ],
  "with resourceSelectors": [
    `{ resourceSelectors: [{ group: "", version: v1, kind: Service, labelFilters: ${filter}, name: a, evaluate: x,
       evaluateCEL: [{ name: r, rule: "true" }] }, { group: apps, version: v1, kind: Deployment }] }`,
    {
      selectors: [
        { ...service, selector: labelled, name: "a", evaluate: "x", evaluateCEL: [{ name: "r", rule: "true" }] },
        { ...service, group: "apps", kind: "Deployment" },
      ],
    },
  ],
  "with a selector beside the filters": [
    `{ resourceSelectors: [{ group: "", version: v1, kind: Service, labelFilters: ${filter}, selector: { matchLabels: { a: b } } }] }`,
    { selectors: [{ ...service, selector: { matchLabels: { a: "b" }, ...labelled } }] },
  ],
  "with an aggregated selection": [
    `{ resourceSelectors: [{ group: "", version: v1, kind: Service }], aggregatedSelection: x }`,
    { selectors: [service], aggregatedSelection: "x" },
  ],
};

for (const [what, [spec, normal]] of Object.entries(readable)) {
  test(`an EventSource ${what}`, () => {
    const object = source(spec);
    const value = { metadata: object.metadata, aggregatedSelection: "", collectResources: false, ...normal };
    assert.deepEqual(readEventSource(object), { state: "read", value, refused: [] });
  });
}

const unreadable: Readonly<Record<string, readonly [spec: string, ...problems: string[]]>> = {
  "that selects nothing": ["{}", "spec.resourceSelectors: is missing: expected the objects that make the event"],
  "without a version": ["{ kind: Service }", "spec: expected version and kind, both"],
  "in two generations at once": [
    `{ kind: Service, resourceSelectors: [{ group: "", version: v1, kind: Service }] }`,
    "spec: found both resourceSelectors and kind, expected the one or the other",
  ],
  "with several faults": [
    `{ collectResources: 1, resourceSelectors: [{ group: "", kind: "" , labelFilters: [{ key: a, operation: In }] }] }`,
    "spec.resourceSelectors[0].version: is missing",
    'spec.resourceSelectors[0].kind: found "", expected some text',
    'spec.resourceSelectors[0].labelFilters[0].operation: found "In", expected one of Equal, Different, Has, DoesNotHave',
    "spec.collectResources: found 1, expected true or false",
  ],
  "with a filter that no label can satisfy": [
    "{ version: v1, kind: Service, labelFilters: [{ key: a b, operation: Has }] }",
    `spec.labelFilters[0]: key: Invalid value: "a b": ${labelKeyProblems("a b").join("; ")}`,
  ],
  "that is no object": ["[]", "spec: found [], expected an object"],
};

for (const [what, [spec, ...problems]] of Object.entries(unreadable)) {
  test(`an EventSource ${what} cannot be read`, () => {
    const reading = readEventSource(source(spec));
    assert.ok(reading.state === "invalid");
    assert.deepEqual(reading.problems.map(lineFor), problems);
  });
}

test("fields that are not built are refused", () => {
  const spec = `{ resourceSelectors: [{ group: "", version: v1, kind: Service }], messagingMatchCriteria: [{ subject: a }] }`;
  const reading = readEventSource(source(spec));
  assert.deepEqual(reading.refused, ["spec.messagingMatchCriteria"]);
  assert.match(failureMessageOf(reading) ?? "", /^not built into Sluice, therefore nothing is deployed: spec/);
});

test("only messages: refused, not a problem", () => {
  const reading = readEventSource(source("{ messagingMatchCriteria: [{ subject: a }] }"));
  assert.deepEqual([reading.state, reading.refused], ["read", ["spec.messagingMatchCriteria"]]);
});
