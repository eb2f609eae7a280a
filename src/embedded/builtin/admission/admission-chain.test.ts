import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionFixture } from "../../../../test/support/embedded/admission-fixture.ts";
import { AdmissionChain } from "./admission-chain.ts";
import { admissionPlugins } from "./admission-plugins.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./plugin.ts";

const write = (key: string, subresource = ""): AdmissionAttributes => ({
  operation: "CREATE",
  resource: { key, group: "", plural: key, version: "v1", kind: "Pod" },
  subresource,
  object: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "default" } },
});

/** A plugin that says when it is called. */
function tracing(name: string, calls: string[], scope: Partial<AdmissionPlugin> = {}): AdmissionPlugin {
  return {
    name,
    ...scope,
    admit: (object) => {
      calls.push(`admit ${name}`);
      return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [name]: "seen" } } };
    },
    validate: () => void calls.push(`validate ${name}`),
  };
}

test("plugins mutate in their order, each what the one before left, and then validate in their order", () => {
  const calls: string[] = [];
  const chain = new AdmissionChain([tracing("first", calls), tracing("second", calls)], new AdmissionFixture());
  const object = chain.mutate(write("pods"));
  chain.validate({ ...write("pods"), object });
  assert.deepEqual(calls, ["admit first", "admit second", "validate first", "validate second"]);
  assert.deepEqual(object.metadata.annotations, { first: "seen", second: "seen" });
});

const scopes: Record<string, [scope: Partial<AdmissionPlugin>, asked: readonly string[]]> = {
  "all resources, no subresources": [{}, ["pods", "nodes"]],
  "one resource": [{ resources: ["pods"] }, ["pods"]],
  "one subresource": [{ resources: ["pods"], subresources: ["status"] }, ["pods", "pods/status"]],
  "every subresource": [{ subresources: "all" }, ["pods", "nodes", "pods/status", "pods/eviction"]],
};

for (const [name, [scope, asked]] of Object.entries(scopes)) {
  test(`a plugin of ${name} is asked about ${asked.join(" and ")}`, () => {
    const seen = ["pods", "nodes", "pods/status", "pods/eviction"].filter((path) => {
      const calls: string[] = [];
      const [key = "", subresource] = path.split("/");
      new AdmissionChain([tracing("it", calls, scope)], new AdmissionFixture()).validate(write(key, subresource));
      return calls.length > 0;
    });
    assert.deepEqual(seen, asked);
  });
}

test("policies and webhooks come after the plugins of the server, and the quota after them", () => {
  const extensions = ["MutatingAdmissionWebhook", "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook"];
  const names = admissionPlugins(extensions.map((name) => ({ name }))).map(({ name }) => name);
  assert.deepEqual(names.slice(-4), [...extensions, "ResourceQuota"]);
  assert.equal(names[0], "NamespaceLifecycle");
});
