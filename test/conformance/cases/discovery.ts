import { httpGet, namespacedPath, httpPost, type ConformanceCase } from "../conformance-case.ts";

const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };

/** Discovery, the version and the OpenAPI documents. */
export const discoveryCases: readonly ConformanceCase[] = [
  {
    id: "discovery/version",
    title: "the version",
    namespaces: 0,
    steps: [httpGet("/version", { show: ["major", "minor", "gitVersion"] })],
  },
  {
    id: "discovery/checks",
    title: "single health checks, and paths that are none",
    namespaces: 0,
    steps: [
      httpGet("/livez/ping"),
      httpGet("/healthz/etcd"),
      httpGet("/readyz/informer-sync"),
      httpGet("/readyz/nothing", { expect: 404 }),
      httpGet("/nothing", { expect: 404 }),
      httpGet("/%ff", { expect: 404 }),
      httpGet("/api/v1/%ff", { expect: 404 }),
    ],
  },
  { id: "discovery/health", title: "health", namespaces: 0, steps: [httpGet("/readyz"), httpGet("/livez"), httpGet("/healthz")] },
  {
    id: "discovery/core",
    title: "the versions and resources of the core group",
    namespaces: 0,
    steps: [httpGet("/api", { show: ["kind", "versions"] }), httpGet("/api/v1")],
  },
  {
    id: "discovery/groups",
    title: "the groups, and one group",
    namespaces: 0,
    steps: [
      httpGet("/apis/apps"),
      httpGet("/apis/batch"),
      httpGet("/apis/networking.k8s.io"),
      httpGet("/apis/apiextensions.k8s.io"),
      httpGet("/apis/nothing.example.com", { expect: 404 }),
    ],
  },
  {
    id: "discovery/resources",
    title: "the resources of a group",
    namespaces: 0,
    steps: [
      "apps/v1",
      "batch/v1",
      "networking.k8s.io/v1",
      "policy/v1",
      "autoscaling/v2",
      "rbac.authorization.k8s.io/v1",
      "apiextensions.k8s.io/v1",
      "storage.k8s.io/v1",
      "coordination.k8s.io/v1",
      "discovery.k8s.io/v1",
    ].map((group) => httpGet(`/apis/${group}`)),
  },
  {
    id: "discovery/aggregated",
    title: "the core group in one document",
    namespaces: 0,
    steps: [httpGet("/api", { headers: aggregated })],
  },
  {
    id: "discovery/older-clients",
    title: "the aggregated form of v2beta1 is gone, and clients that can do without get the plain one",
    namespaces: 0,
    steps: [
      httpGet("/api", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json" },
        show: ["kind"],
      }),
      httpGet("/apis", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList, application/json" },
        show: ["kind"],
      }),
      httpGet("/api", {
        headers: {
          accept:
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
        },
        show: ["kind", "apiVersion"],
      }),
      httpGet("/apis", { headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList" }, expect: 406 }),
    ],
  },
  {
    id: "discovery/unknown-paths",
    title: "paths that are not served",
    steps: [
      httpGet("/nothing", { expect: 404 }),
      httpGet("/api/v2", { expect: 404 }),
      httpGet("/api/v1/nothings", { expect: 404 }),
      httpGet("/apis/apps/v2/deployments", { expect: 404 }),
      httpGet("/apis/apps/v1/nothings", { expect: 404 }),
      httpGet(namespacedPath("v1", "nothings", "a"), { expect: 404 }),
      httpGet("/apis/nothing.example.com/v1/things", { expect: 404 }),
      httpPost("/api/v1/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }, { expect: 405 }),
    ],
  },
  {
    id: "discovery/not-acceptable",
    title: "a form of answer that cannot be given",
    namespaces: 0,
    steps: [httpGet("/api/v1/namespaces/default", { headers: { accept: "text/csv" }, expect: 406 })],
  },
];
