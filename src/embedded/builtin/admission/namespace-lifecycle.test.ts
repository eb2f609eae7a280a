import assert from "node:assert/strict";
import { test } from "node:test";
import { isStatusError } from "../../status-error.ts";
import { AdmissionFixture, admissionResult } from "../../../../test/support/embedded/admission-fixture.ts";

const going = { metadata: { name: "going", namespace: "" }, status: { phase: "Terminating" } };
const cluster = new AdmissionFixture({ namespaces: [going] });
const inside = (namespace: string) => ({ metadata: { name: "a", namespace } });

const cases: Record<string, [attempt: () => void, expected: string]> = {
  "a create in a namespace that is there": [() => cluster.create("configmaps", inside("default")), "let in"],
  "a create in one that is not": [() => cluster.create("configmaps", inside("x")), '404 namespaces "x" not found'],
  "an update in one that is not": [() => cluster.update("configmaps", inside("x"), inside("x")), '404 namespaces "x" not found'],
  "a create in one that is going": [
    () => cluster.create("deployments.apps", inside("going")),
    '403 deployments.apps "a" is forbidden: unable to create new content in namespace going because it is being terminated',
  ],
  "an update in one that is going": [() => cluster.update("configmaps", inside("going"), inside("going")), "let in"],
  "an object without a namespace": [() => cluster.create("clusterroles.rbac.authorization.k8s.io", inside("")), "let in"],
  "a question about rights in one that is not there": [
    () => cluster.create("localsubjectaccessreviews.authorization.k8s.io", inside("x")),
    "let in",
  ],
  "the end of default": [
    () => cluster.delete("namespaces", { metadata: { name: "default", namespace: "" } }),
    '403 namespaces "default" is forbidden: this namespace may not be deleted',
  ],
  "the end of any other": [() => cluster.delete("namespaces", going), "let in"],
  "the end of something else called default": [() => cluster.delete("serviceaccounts", { metadata: { name: "default" } }), "let in"],
};

for (const [name, [attributes, expected]] of Object.entries(cases)) test(name, () => assert.equal(admissionResult(attributes), expected));

test("the error of a terminating namespace has a cause", () => {
  const causes = [{ reason: "NamespaceTerminating", message: "namespace going is being terminated", field: "metadata.namespace" }];
  assert.throws(
    () => cluster.create("configmaps", inside("going")),
    (error) => {
      assert.ok(isStatusError(error, "Forbidden"));
      assert.deepEqual(error.status.details, { name: "a", kind: "configmaps", causes });
      return true;
    },
  );
});
