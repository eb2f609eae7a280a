import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { compileRules, type JsonSchemaProps, type ValidationRule } from "../schema/index.ts";
import { startEmbeddedCluster } from "../embedded-cluster.ts";
import { compileCelRule } from "./compile-cel-rule.ts";

function errorsOf(schema: JsonSchemaProps, value: unknown, old?: unknown): readonly string[] {
  const check = compileRules(schema, compileCelRule);
  assert.ok(check);
  return check(value, old === undefined ? {} : { old }).map(({ field, message }) => `${field}: ${message}`);
}

const spec: JsonSchemaProps = {
  type: "object",
  properties: {
    size: { type: "integer" },
    ratio: { type: "number" },
    name: { type: "string" },
    limit: { "x-kubernetes-int-or-string": true },
    ports: { type: "array", items: { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    until: { type: "string", format: "date-time" },
  },
};

function ruled(...rules: readonly ValidationRule[]): JsonSchemaProps {
  return { type: "object", properties: { spec: { ...spec, "x-kubernetes-validations": rules } } };
}

// Expected words: apiextensions pkg/apiserver/schema/cel/validation.go and compilation.go.
const cases: readonly (readonly [rule: string, value: unknown, expected: string | undefined])[] = [
  ["self.size > 1", { size: 2 }, undefined],
  ["self.size > 1", { size: 1 }, "spec: Invalid value: failed rule: self.size > 1"],
  ["self.size / 2 == 1", { size: 3 }, undefined],
  ["self.ratio / 2.0 == 1.5", { ratio: 3 }, undefined],
  [
    "self.ports.all(p, p.port < 1024)",
    { ports: [{ port: 80 }, { port: 8080 }] },
    "spec: Invalid value: failed rule: self.ports.all(p, p.port < 1024)",
  ],
  ["self.ports.map(p, p.name).join(',') == 'a,b'", { ports: [{ name: "a" }, { name: "b" }] }, undefined],
  ["!has(self.name) || self.name.startsWith('x')", {}, undefined],
  ["self.labels['app'] == 'web'", { labels: { app: "web" } }, undefined],
  [
    "self.labels['app'] == 'web'",
    { labels: {} },
    "spec: Invalid value: \"object\": no such key: app evaluating rule: self.labels['app'] == 'web'",
  ],
  ["type(self.limit) == string ? self.limit.endsWith('%') : self.limit > 0", { limit: "5%" }, undefined],
  ["type(self.limit) == string ? self.limit.endsWith('%') : self.limit > 0", { limit: 5 }, undefined],
  [
    "self.limit.endsWith('%')",
    { limit: 5 },
    "spec: Invalid value: \"object\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.limit.endsWith('%')",
  ],
  ["self.until > timestamp('2020-01-01T00:00:00Z')", { until: "2021-01-01T00:00:00Z" }, undefined],
  ["quantity(self.name).isLessThan(quantity('1Gi'))", { name: "512Mi" }, undefined],
  [
    "self.color == 'red'",
    {},
    "spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'color'\n | self.color == 'red'\n | ....^",
  ],
  ["self.size", { size: 1 }, 'spec: Invalid value: "object": rule compile error: cel expression must evaluate to a bool'],
  [
    "int('x') == 1",
    {},
    "spec: Invalid value: \"object\": rule compile error: program instantiation failed: type conversion error from 'string' to 'int'",
  ],
];

for (const [rule, value, expected] of cases) {
  test(`${rule} on ${JSON.stringify(value)}: ${expected ?? "holds"}`, () => {
    assert.deepEqual(errorsOf(ruled({ rule }), { spec: value }), expected === undefined ? [] : [expected]);
  });
}

test("a message expression that fails is replaced by the rule's message", () => {
  const rule = { rule: "self.size < 3", message: "too large" };
  assert.deepEqual(errorsOf(ruled({ ...rule, messageExpression: "'size is ' + string(self.size)" }), { spec: { size: 5 } }), [
    "spec: Invalid value: size is 5",
  ]);
  assert.deepEqual(errorsOf(ruled({ ...rule, messageExpression: "'no ' + self.labels['x']" }), { spec: { size: 5, labels: {} } }), [
    "spec: Invalid value: too large",
  ]);
});

test("a rule about a change sees what was, and may ask whether anything was", () => {
  const grows = ruled({ rule: "self.size >= oldSelf.size", message: "must not shrink" });
  assert.deepEqual(errorsOf(grows, { spec: { size: 1 } }, { spec: { size: 2 } }), ["spec: Invalid value: must not shrink"]);
  assert.deepEqual(errorsOf(grows, { spec: { size: 1 } }), []);
  const first = ruled({ rule: "oldSelf.hasValue() || self.size == 1", optionalOldSelf: true, message: "starts with one" });
  assert.deepEqual(errorsOf(first, { spec: { size: 2 } }), ["spec: Invalid value: starts with one"]);
  assert.deepEqual(errorsOf(first, { spec: { size: 2 } }, { spec: { size: 1 } }), []);
});

const crd: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gauges.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "gauges", kind: "Gauge" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            "x-kubernetes-validations": [{ rule: "self.metadata.name.size() <= 5", message: "name too long" }],
            properties: {
              spec: {
                type: "object",
                properties: { low: { type: "integer" }, high: { type: "integer" }, zone: { type: "string", maxLength: 20 } },
                "x-kubernetes-validations": [
                  { rule: "self.low <= self.high", messageExpression: "'low is above high in ' + self.zone" },
                  { rule: "!has(oldSelf.zone) || (has(self.zone) && self.zone == oldSelf.zone)", message: "zone is immutable" },
                  { rule: "!oldSelf.hasValue() || self.high <= 100", optionalOldSelf: true, message: "may not grow beyond 100" },
                ],
              },
            },
          },
        },
      },
    ],
  },
};

function gauge(name: string, fields: Readonly<Record<string, unknown>>): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Gauge", metadata: { name, namespace: "default" }, spec: fields };
}

async function cluster(): Promise<Cluster> {
  const clock = new VirtualClock();
  const connected = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  await connected.apply(crd);
  await clock.advance(1000);
  return connected;
}

test("the embedded cluster holds custom resources to their rules", async () => {
  const gauges = await cluster();
  await gauges.apply(gauge("a", { low: 1, high: 200, zone: "x" }));
  const why = async (object: KubeObject, write: "create" | "apply"): Promise<string> => {
    const refused = await gauges[write](object).then(
      () => new Error("accepted"),
      (cause: unknown) => cause,
    );
    return refused instanceof Error ? refused.message : String(refused);
  };
  assert.match(await why(gauge("b", { low: 3, high: 2, zone: "y" }), "create"), /spec: Invalid value: low is above high in y/);
  assert.match(await why(gauge("toolong", { low: 1, high: 2 }), "create"), /name too long/);
  assert.match(await why(gauge("a", { low: 1, high: 20, zone: "y" }), "apply"), /spec: Invalid value: zone is immutable/);
  assert.match(await why(gauge("a", { low: 2, high: 200, zone: "x" }), "apply"), /spec: Invalid value: may not grow beyond 100/);
});

test("a CRD whose rule does not compile is rejected", async () => {
  const gauges = await cluster();
  const text = JSON.stringify(crd)
    .replaceAll("gauges", "dials")
    .replaceAll("Gauge", "Dial")
    .replace("self.low <= self.high", "self.low <= self.hihg");
  await assert.rejects(gauges.create(JSON.parse(text) as KubeObject), (cause: Error) => {
    assert.match(
      cause.message,
      /x-kubernetes-validations\[0\]\.rule: Invalid value: .*compilation failed: ERROR: <input>:1:17: undefined field 'hihg'/,
    );
    return true;
  });
});
