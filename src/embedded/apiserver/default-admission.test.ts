import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { bootstrapObjects } from "../bootstrap-objects.ts";
import { seededRandom } from "../seeded-random.ts";
import { isStatusError } from "../status-error.ts";
import { ObjectStorage } from "../storage/index.ts";
import { ResourceCatalog } from "./resource-catalog.ts";
import { defaultAdmission } from "./default-admission.ts";
import { ApiServer } from "./api-server.ts";

function freshServer(): ApiServer {
  const random = seededRandom(1);
  const admission = defaultAdmission(() => server, random);
  const server: ApiServer = new ApiServer({
    store: new ObjectStorage(),
    catalog: new ResourceCatalog(),
    clock: new VirtualClock(),
    random,
    admission,
  });
  for (const { resource, object } of bootstrapObjects()) server.components.create(resource, object, "kube-apiserver");
  return server;
}

function pod(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { containers: [{ name: "c", image: "example.com/good:1" }] },
  };
}

function serverWithQuota(pods: string): ApiServer {
  const server = freshServer();
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few", namespace: "default" }, spec: { hard: { pods } } };
  const made = server.components.create("resourcequotas", quota, "test");
  server.components.updateStatus("resourcequotas", { ...made, status: { hard: { pods }, used: { pods: "0" } } }, "kube-controller-manager");
  return server;
}

function used(server: ApiServer): unknown {
  return fieldsAt(server.read("resourcequotas", "default", "few"), "status.used")["pods"];
}

test("a quota is charged in the turn of the write, so that the next write sees it", () => {
  const server = serverWithQuota("2");
  for (const name of ["a", "b"]) server.components.create("pods", pod(name), "test");
  assert.equal(used(server), "2");
  assert.throws(
    () => server.components.create("pods", pod("c"), "test"),
    (error) => {
      assert.ok(isStatusError(error, "Forbidden"));
      assert.equal(error.message, 'pods "c" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2');
      return true;
    },
  );
});

test("a dry run charges nothing", () => {
  const server = serverWithQuota("1");
  const resource = server.catalog.stored("pods");
  assert.ok(resource);
  const answer = server.createAs(resource, pod("a"), { manager: "test", dryRun: true });
  assert.equal(stringAt(answer, "spec.serviceAccountName"), "default");
  assert.equal(used(server), "0");
});

test("the token's volume has a name of its own", () => {
  const server = freshServer();
  const names = ["a", "b"].map((name) =>
    stringAt(listAt(server.components.create("pods", pod(name), "test"), "spec.volumes")[0], "name", ""),
  );
  for (const name of names) assert.match(name, /^kube-api-access-[b-z2-9]{5}$/);
  assert.notEqual(names[0], names[1]);
});

test("fields that admission sets have no manager", () => {
  const made = freshServer().components.create("pods", pod("a"), "test");
  const owned = JSON.stringify(made.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1));
  assert.match(owned, /f:containers/);
  assert.doesNotMatch(owned, /f:serviceAccount|f:tolerations|f:priority|f:volumes/);
});
