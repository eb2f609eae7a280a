import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  builtInGroups,
  schemaNameOf,
  mergeTypeNamed,
  openApiDocument,
  openApiHashes,
  schemaNamed,
  schemaOf,
} from "./index.ts";
import type { Atom, TypeRef } from "../managedfields/index.ts";

const deployment = { group: "apps", version: "v1", kind: "Deployment" };

function resources(group: string, version: string) {
  const found = builtInGroups().find((item) => item.name === group);
  return found?.versions.find((item) => item.version === version)?.resources ?? [];
}

test("groups come in the server's order, stable versions only, the preferred one first", () => {
  const groups = builtInGroups();
  assert.deepEqual(
    groups.slice(0, 4).map(({ name }) => name),
    ["", "apiregistration.k8s.io", "apps", "events.k8s.io"],
  );
  assert.deepEqual(
    groups.find(({ name }) => name === "autoscaling")?.versions.map(({ version }) => version),
    ["v2", "v1"],
  );
  assert.ok(groups.every(({ versions }) => versions.every(({ version }) => /^v\d+$/.test(version))));
  assert.ok(!groups.some(({ name }) => name === "internal.apiserver.k8s.io"));
});

test("a resource carries its short names, verbs and storage hash", () => {
  const found = resources("", "v1").find(({ name }) => name === "configmaps");
  assert.deepEqual(found, {
    kind: "ConfigMap",
    name: "configmaps",
    namespaced: true,
    shortNames: ["cm"],
    singularName: "configmap",
    storageVersionHash: "qFsyl6wFWjQ=",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  });
});

test("aggregated discovery nests subresources with their kinds", () => {
  const apps = builtInGroups().filter(({ name }) => name === "apps");
  const { items } = aggregatedDiscovery(apps) as { items: { metadata: unknown; versions: { resources: { resource: string }[] }[] }[] };
  assert.deepEqual(items[0]?.metadata, { name: "apps" });
  assert.deepEqual(
    items[0]?.versions[0]?.resources.find(({ resource }) => resource === "deployments"),
    {
      resource: "deployments",
      responseKind: { group: "", version: "", kind: "Deployment" },
      scope: "Namespaced",
      singularResource: "deployment",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["deploy"],
      categories: ["all"],
      subresources: [
        { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs: ["get", "patch", "update"] },
        { subresource: "status", responseKind: { group: "", version: "", kind: "Deployment" }, verbs: ["get", "patch", "update"] },
      ],
    },
  );
});

test("legacy discovery leaves the core group out of /apis and names the preferred version", () => {
  const { groups } = apiGroupList(builtInGroups()) as { groups: { name: string }[] };
  assert.ok(groups.length > 15 && groups.every(({ name }) => name !== ""));
  const [autoscaling] = builtInGroups().filter(({ name }) => name === "autoscaling");
  assert.ok(autoscaling);
  assert.deepEqual(apiGroup(autoscaling)["preferredVersion"], { groupVersion: "autoscaling/v2", version: "v2" });
  assert.equal(apiResourceList({ name: "" }, { version: "v1", resources: [] })["groupVersion"], "v1");
});

test("every listed kind has a schema and a merge type, with all the types it names", () => {
  const seen = new Set<string>();
  const follow = (type: Atom | TypeRef): void => {
    const name = "namedType" in type ? type.namedType : undefined;
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      const target = mergeTypeNamed(name);
      assert.ok(target, `merge type ${name}`);
      follow(target);
    }
    for (const field of type.map?.fields ?? []) follow(field.type);
    if (type.map?.elementType !== undefined) follow(type.map.elementType);
    if (type.list !== undefined) follow(type.list.elementType);
  };
  for (const { name: group, versions } of builtInGroups()) {
    for (const { version, resources: listed } of versions) {
      for (const item of listed) {
        const kind = { group: item.group ?? group, version: item.version ?? version, kind: item.kind };
        // Options of connect requests come as query parameters and have no schema.
        if (kind.kind.endsWith("Options")) continue;
        assert.ok(schemaOf(kind)?.properties, JSON.stringify(kind));
        follow({ namedType: schemaNameOf(kind) ?? "" });
      }
    }
  }
});

test("schemas are linked: a field can be reached without following references", () => {
  const spec = schemaOf(deployment)?.properties?.["spec"];
  assert.deepEqual(spec?.required, ["selector", "template"]);
  assert.equal(spec?.properties?.["strategy"]?.["x-kubernetes-patch-strategy"], "retainKeys");
  assert.equal(spec?.properties?.["strategy"]?.definition, "io.k8s.api.apps.v1.DeploymentStrategy");
  const pod = spec?.properties?.["template"]?.properties?.["spec"]?.properties;
  assert.equal(pod?.["containers"]?.["x-kubernetes-patch-merge-key"], "name");
  assert.deepEqual(pod?.["containers"]?.items?.properties?.["imagePullPolicy"]?.enum, ["Always", "IfNotPresent", "Never"]);
  assert.equal(pod?.["containers"]?.items?.properties?.["imagePullPolicy"]?.goType, "v1.PullPolicy");
  assert.equal(pod?.["containers"]?.items?.properties?.["ports"]?.items?.properties?.["protocol"]?.default, "TCP");
});

test("a schema may lead back to itself", () => {
  const schema = schemaNamed("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  assert.equal(schema?.properties?.["not"]?.properties?.["not"]?.properties?.["type"]?.type, "string");
});

test("what is not there is undefined, also under names that every object has", () => {
  assert.equal(schemaOf({ group: "", version: "constructor", kind: "x" }), undefined);
  assert.equal(schemaOf({ group: "apps", version: "v1beta1", kind: "Deployment" }), undefined);
  assert.equal(openApiDocument("toString"), undefined);
  assert.equal(mergeTypeNamed("Deployment"), undefined);
});

test("merge types know associative lists by their keys", () => {
  const fields = mergeTypeNamed("io.k8s.api.core.v1.Container")?.map?.fields ?? [];
  const ports = fields.find(({ name }) => name === "ports")?.type.list;
  assert.deepEqual(ports?.keys, ["containerPort", "protocol"]);
  assert.equal(ports?.elementRelationship, "associative");
});

test("merge types that client-go does not publish follow from the schemas", () => {
  const spec = mergeTypeNamed("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec");
  const versions = spec?.map?.fields?.find(({ name }) => name === "versions")?.type.list;
  assert.equal(versions?.elementRelationship, "atomic");
});

test("the OpenAPI documents are whole, with enumerations as a server publishes them", () => {
  assert.ok(openApiHashes().has("api/v1") && openApiHashes().has("apis/apps") && openApiHashes().has("version"));
  assert.ok(!openApiHashes().has("apis/resource.k8s.io/v1beta1"));
  assert.match(openApiHashes().get("apis/apps/v1") ?? "", /^[0-9A-F]{128}$/);
  const document = JSON.parse(openApiDocument("apis/apps/v1")?.toString() ?? "{}");
  assert.ok(document.paths["/apis/apps/v1/namespaces/{namespace}/deployments"]);
  const { restartPolicy } = document.components.schemas["io.k8s.api.core.v1.PodSpec"].properties;
  assert.deepEqual(restartPolicy.enum, ["Always", "Never", "OnFailure"]);
  assert.match(restartPolicy.description, /Possible enum values:/);
});
