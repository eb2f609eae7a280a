import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { fieldsAt, listAt, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { decodeResources, encodeResources, isSameReport, managementCopy, readEventReport, buildEventReport, withLeftOut } from "./index.ts";

const service: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", managedFields: [{ manager: "kubectl" }] },
  spec: { ports: [{ port: 80 }] },
};
const cluster = { type: "Capi", namespace: "prod", name: "one" } as const;

const recorded: readonly KubeObject[] = JSON.parse(readFileSync(new URL("recorded/event-reports.json", import.meta.url), "utf8"));

function note(text: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { text } };
}

function reportWith(input: Partial<Parameters<typeof buildEventReport>[0]> = {}): KubeObject {
  const matches = [{ ref: refOf(service), object: service, message: "" }];
  const [report, ...others] = buildEventReport({ eventSource: "services", matches, collectResources: false, ...input });
  assert.deepEqual(others, []);
  return report!;
}

// Spec 1.4.
test("a report in the management cluster is named and labelled after EventSource and cluster", () => {
  assert.deepEqual(reportWith({ cluster }), {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventReport",
    metadata: {
      name: "capi--services--one",
      namespace: "prod",
      labels: {
        "projectsveltos.io/eventsource-name": "services",
        "eventreport.projectsveltos.io/cluster-name": "one",
        "eventreport.projectsveltos.io/cluster-type": "capi",
      },
    },
    spec: {
      clusterNamespace: "prod",
      clusterName: "one",
      clusterType: "Capi",
      eventSourceName: "services",
      matchingResources: [{ apiVersion: "v1", kind: "Service", namespace: "default", name: "web" }],
    },
  });
});

test("a report in the managed cluster names no cluster; its management copy does", () => {
  const managed = reportWith({ collectResources: true });
  assert.equal(managed.metadata.name, "services");
  assert.equal(managed.metadata.namespace, "projectsveltos");
  assert.equal(stringAt(managed, "spec.clusterName"), "");
  const copy = managementCopy({ ...managed, spec: { ...fieldsAt(managed, "spec"), cloudEvents: ["e30="] } }, "services", cluster);
  assert.deepEqual(copy, reportWith({ cluster, collectResources: true }));
});

test("a report without a match has neither matchingResources nor resources", () => {
  const spec = fieldsAt(reportWith({ matches: [], collectResources: true }), "spec");
  assert.deepEqual(Object.keys(spec).toSorted(), ["clusterName", "clusterNamespace", "clusterType", "eventSourceName"]);
});

test("collected objects are lines of JSON with sorted keys, without managedFields", () => {
  const text = Buffer.from(stringAt(reportWith({ collectResources: true }), "spec.resources", ""), "base64").toString();
  assert.equal(
    text,
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"default"},"spec":{"ports":[{"port":80}]}}\n---\n',
  );
});

test("both separators are decoded, and --- inside an object is not one", () => {
  const objects = [note('---\n{"}'), note("\\"), note("}---{")];
  const written = (separator: string) =>
    Buffer.from(objects.map((object) => JSON.stringify(object) + separator).join("")).toString("base64");
  for (const separator of ["\n---", "\n---\n", "\n", "---"]) assert.deepEqual(decodeResources(written(separator)), objects);
});

test("collected objects are decoded", () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 3 }), (specs) => {
      const objects = specs.map((spec, index): KubeObject => ({ apiVersion: "v1", kind: "Thing", metadata: { name: `n${index}` }, spec }));
      assert.deepEqual(decodeResources(encodeResources(objects)), JSON.parse(JSON.stringify(objects)));
    }),
  );
});

test("integers keep all their digits", () => {
  const encoded = Buffer.from('{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":12345678901234567891}\n---\n').toString(
    "base64",
  );
  assert.equal(encodeResources(decodeResources(encoded)), encoded);
});

for (const [what, text, message] of [
  ["is cut off", '{"apiVersion":"v1","kind":"A', "the resources of the report end in the middle of an object"],
  ["is no JSON", "{a}", /^the resources of the report are no JSON: /],
  ["is no object of Kubernetes", '{"a":1}', "the resources of the report hold something that is no Kubernetes object"],
] as const)
  test(`a report whose content ${what} is refused`, () => {
    assert.throws(() => decodeResources(Buffer.from(text).toString("base64")), { name: "Fault", message });
  });

test("isSameReport ignores what the API server adds", () => {
  const desired = reportWith({ cluster, collectResources: true });
  const existing: KubeObject = {
    ...desired,
    metadata: { ...desired.metadata, uid: "1", resourceVersion: "7", labels: { ...desired.metadata.labels, mine: "too" } },
    status: { phase: "Processed" },
  };
  assert.equal(isSameReport(existing, desired), true);
  assert.equal(isSameReport(undefined, desired), false);
  assert.equal(isSameReport(existing, reportWith({ cluster, collectResources: false })), false);
  assert.equal(isSameReport({ ...existing, metadata: { name: "services" } }, desired), false);
});

test("an object that is too large for a report is reported without its content, and that is said", () => {
  const large: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "x".repeat(1_200_000) } };
  const matches = [
    { ref: refOf(large), object: large, message: "" },
    { ref: refOf(service), object: service, message: "" },
  ];
  const report = reportWith({ matches, collectResources: true });
  assert.deepEqual(
    readEventReport(report).matches.map(({ ref, object }) => [ref.name, object !== undefined]),
    [
      ["a", false],
      ["web", true],
    ],
  );
  const result = { matches, failures: [], message: "" };
  assert.deepEqual(withLeftOut(result, { matches, collectResources: false }), result);
  const [failure, ...others] = withLeftOut(result, { matches, collectResources: true }).failures;
  assert.deepEqual(others, []);
  assert.equal(failure?.ref?.name, "a");
  assert.match(failure.reason, /^its content would take 1\.6 MB in the report, and an API server stores at most 1\.4 MB: /);
});

test("recorded reports of Sveltos are read", () => {
  const summaries = recorded.map((object) => {
    const { eventSource, cluster: where, matches } = readEventReport(object);
    const names = matches.map(
      ({ ref, object: content }) => `${ref.kind}/${ref.namespace}/${ref.name}${content === undefined ? "" : " with content"}`,
    );
    return `${eventSource} in ${where === undefined ? "itself" : `${where.type} ${where.namespace}/${where.name}`}: ${names.join(", ")}`;
  });
  assert.deepEqual(summaries, [
    "sveltos-service in Sveltos mgmt/c1: Service/default/another-service with content, Service/default/my-service with content",
    "sveltos-service in itself: Service/default/another-service with content, Service/default/my-service with content",
    "labelled-service in Sveltos mgmt/c1: Service/default/another-service, Service/default/my-service",
    "labelled-service in Sveltos mgmt/c1: Service/default/another-service",
  ]);
});

test("a recorded report without managedFields is encoded the same, except for separators", () => {
  const [object] = recorded.filter(
    (one) => stringAt(one, "spec.resources") !== undefined && listAt(one, "spec.matchingResources").length === 2,
  );
  assert.ok(object !== undefined);
  const { matches, eventSource, cluster: where } = readEventReport(object);
  const { resources: _written, ...spec } = fieldsAt(object, "spec");
  const again = reportWith({ eventSource, matches, ...(where !== undefined && { cluster: where }) });
  assert.deepEqual(again["spec"], spec);
  assert.equal(again.metadata.name, object.metadata.name);
  assert.deepEqual(again.metadata.labels, object.metadata.labels);
});
