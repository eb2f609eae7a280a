import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../fault/index.ts";
import { stringAt, type KubeObject } from "../../object/index.ts";
import { readEventReport, resourcesText } from "./event-report.ts";

/** What seed 001 prints as `resources` of its report. */
const printed = [
  "eyJhcGlWZXJzaW9uIjoidjEiLCJraW5kIjoiU2VydmljZSIsIm1ldGFkYXRhIjp7ImFubm90YXRpb25zIjp7Imt1YmVjdGwua3ViZXJuZXRlcy5pby9sYXN0",
  "LWFwcGxpZWQtY29uZmlndXJhdGlvbiI6IntcImFwaVZlcnNpb25cIjpcInYxXCIsXCJraW5kXCI6XCJTZXJ2aWNlXCIsXCJtZXRhZGF0YVwiOntcImFubm90",
  "YXRpb25zXCI6e30sXCJsYWJlbHNcIjp7XCJzdmVsdG9zXCI6XCJmdlwifSxcIm5hbWVcIjpcIm15LXNlcnZpY2VcIixcIm5hbWVzcGFjZVwiOlwiZGVmYXVs",
  "dFwifSxcInNwZWNcIjp7XCJwb3J0c1wiOlt7XCJwb3J0XCI6ODAsXCJwcm90b2NvbFwiOlwiVENQXCIsXCJ0YXJnZXRQb3J0XCI6OTM3Nn1dLFwic2VsZWN0",
  "b3JcIjp7XCJhcHAua3ViZXJuZXRlcy5pby9uYW1lXCI6XCJNeUFwcFwifX19XG4ifSwiY3JlYXRpb25UaW1lc3RhbXAiOiIyMDIzLTAzLTE0VDE2OjAxOjE0",
  "WiIsImxhYmVscyI6eyJzdmVsdG9zIjoiZnYifSwibWFuYWdlZEZpZWxkcyI6W3siYXBpVmVyc2lvbiI6InYxIiwiZmllbGRzVHlwZSI6IkZpZWxkc1YxIiwi",
  "ZmllbGRzVjEiOnsiZjptZXRhZGF0YSI6eyJmOmFubm90YXRpb25zIjp7Ii4iOnt9LCJmOmt1YmVjdGwua3ViZXJuZXRlcy5pby9sYXN0LWFwcGxpZWQtY29u",
  "ZmlndXJhdGlvbiI6e319LCJmOmxhYmVscyI6eyIuIjp7fSwiZjpzdmVsdG9zIjp7fX19LCJmOnNwZWMiOnsiZjppbnRlcm5hbFRyYWZmaWNQb2xpY3kiOnt9",
  "LCJmOnBvcnRzIjp7Ii4iOnt9LCJrOntcInBvcnRcIjo4MCxcInByb3RvY29sXCI6XCJUQ1BcIn0iOnsiLiI6e30sImY6cG9ydCI6e30sImY6cHJvdG9jb2wi",
  "Ont9LCJmOnRhcmdldFBvcnQiOnt9fX0sImY6c2VsZWN0b3IiOnt9LCJmOnNlc3Npb25BZmZpbml0eSI6e30sImY6dHlwZSI6e319fSwibWFuYWdlciI6Imt1",
  "YmVjdGwtY2xpZW50LXNpZGUtYXBwbHkiLCJvcGVyYXRpb24iOiJVcGRhdGUiLCJ0aW1lIjoiMjAyMy0wMy0xNFQxNjowMToxNFoifV0sIm5hbWUiOiJteS1z",
  "ZXJ2aWNlIiwibmFtZXNwYWNlIjoiZGVmYXVsdCIsInJlc291cmNlVmVyc2lvbiI6IjIyNTIiLCJ1aWQiOiIzNDg2ODE1Yi1kZjk1LTRhMzAtYjBjMi01MGFl",
  "OGEyNmI4ZWIifSwic3BlYyI6eyJjbHVzdGVySVAiOiIxMC4yMjUuMTY2LjExMyIsImNsdXN0ZXJJUHMiOlsiMTAuMjI1LjE2Ni4xMTMiXSwiaW50ZXJuYWxU",
  "cmFmZmljUG9saWN5IjoiQ2x1c3RlciIsImlwRmFtaWxpZXMiOlsiSVB2NCJdLCJpcEZhbWlseVBvbGljeSI6IlNpbmdsZVN0YWNrIiwicG9ydHMiOlt7InBv",
  "cnQiOjgwLCJwcm90b2NvbCI6IlRDUCIsInRhcmdldFBvcnQiOjkzNzZ9XSwic2VsZWN0b3IiOnsiYXBwLmt1YmVybmV0ZXMuaW8vbmFtZSI6Ik15QXBwIn0s",
  "InNlc3Npb25BZmZpbml0eSI6Ik5vbmUiLCJ0eXBlIjoiQ2x1c3RlcklQIn0sInN0YXR1cyI6eyJsb2FkQmFsYW5jZXIiOnt9fX0KLS0t",
].join("");

const report = (spec: object, status: object = {}): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "EventReport",
  metadata: { name: "capi--sveltos-service--prod", namespace: "default" },
  spec: { clusterName: "prod", clusterNamespace: "default", clusterType: "Capi", eventSourceName: "sveltos-service", ...spec },
  status,
});

const encoded = (text: string) => Buffer.from(text).toString("base64");

test("the report that seed 001 prints", () => {
  const matchingResources = [{ apiVersion: "v1", kind: "Service", name: "my-service", namespace: "default" }];
  const reading = readEventReport(report({ matchingResources, resources: printed }, { phase: "Processed" }));
  assert.ok(reading.state === "read");
  const { resources, metadata, ...rest } = reading.value;
  assert.equal(metadata.name, "capi--sveltos-service--prod");
  assert.deepEqual(rest, {
    eventSourceName: "sveltos-service",
    cluster: { type: "Capi", namespace: "default", name: "prod" },
    matchingResources,
    phase: "Processed",
  });
  assert.deepEqual(
    resources.map((object) => stringAt(object, "metadata.name")),
    ["my-service"],
  );
  assert.equal(resourcesText(resources), printed, "and it is written as it was");
});

test("a report of the managed cluster says no cluster, and one without matches has none", () => {
  const reading = readEventReport(report({ clusterName: "", clusterNamespace: "", clusterType: "" }));
  assert.ok(reading.state === "read");
  const { metadata, ...rest } = reading.value;
  assert.equal(metadata.namespace, "default");
  assert.deepEqual(rest, { eventSourceName: "sveltos-service", matchingResources: [], resources: [] });
});

const streams: Readonly<Record<string, readonly [text: string, resources: readonly object[]]>> = {
  "the separator of older agents": ['{"a":1}\n---{"a":2}\n---', [{ a: 1 }, { a: 2 }]],
  "the separator of newer agents": ['{"a":1}\n---\n{"a":2}\n---\n', [{ a: 1 }, { a: 2 }]],
  "text that looks like a separator": ['{"a":"---","b":"x\\n---"}\n---{"---":2}\n---', [{ a: "---", b: "x\n---" }, { "---": 2 }]],
  nothing: ["", []],
};

for (const [what, [text, resources]] of Object.entries(streams)) {
  test(`collected resources: ${what}`, () => {
    const reading = readEventReport(report({ resources: encoded(text) }));
    assert.ok(reading.state === "read");
    assert.deepEqual(reading.value.resources, resources);
  });
}

test("integers keep all their digits", () => {
  const text = '{"n":9007199254740993}\n---';
  const reading = readEventReport(report({ resources: encoded(text) }));
  assert.ok(reading.state === "read");
  assert.equal(resourcesText(reading.value.resources), encoded(text));
});

test("what is no object, and a cluster of no type, are problems", () => {
  const reading = readEventReport(report({ clusterType: "Kind", resources: encoded('[1]\n---{"a"\n---') }));
  assert.ok(reading.state === "invalid");
  assert.match(
    reading.problems.map(lineFor).join("\n"),
    /^spec\.clusterType: found "Kind", expected Sveltos or Capi\nspec\.resources\[0\]: expected an object\nspec\.resources\[1\]: expected JSON: /,
  );
});
