import assert from "node:assert/strict";
import { test } from "node:test";
import { decodedPath, requestTargetOf } from "./request-target.ts";

const cases: Readonly<Record<string, string | undefined>> = {
  "/api/v1/pods": "/v1 pods",
  "/api/v1/namespaces": "/v1 namespaces",
  "/api/v1/namespaces/a": "/v1 namespaces a",
  "/api/v1/namespaces/a/status": "/v1 namespaces a status",
  "/api/v1/namespaces/a/finalize": "/v1 namespaces a finalize",
  "/api/v1/namespaces/a/pods": "/v1 [a] pods",
  "/api/v1/namespaces/a/pods/web-0/log": "/v1 [a] pods web-0 log",
  "/apis/apps/v1/namespaces/a/deployments/web/scale": "apps/v1 [a] deployments web scale",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode": "rbac.authorization.k8s.io/v1 clusterroles system:node",
  "/api/v1/namespaces/a%2Fpods": "/v1 [a] pods",
  "/api/v1/namespaces/%ff": "/v1 namespaces \ufffd",
  "/api/v1/namespaces/100%25": "/v1 namespaces 100%",
  "/api/v1/watch/namespaces/a/pods": "/v1 [a] pods (watch)",
  "/api/v1/namespaces/watch/pods": "/v1 [watch] pods",
  "/api/v1": undefined,
  "/apis/apps": undefined,
  "/version": undefined,
};

for (const [path, expected] of Object.entries(cases)) {
  test(`${path} names ${expected ?? "nothing"}`, () => {
    const target = requestTargetOf(decodedPath(path));
    const { group, version, namespace, plural, name, subresource, watch } = target ?? {};
    const parts = [`${group}/${version}`, namespace === "" ? "" : `[${namespace}]`, plural, name, subresource, watch ? "(watch)" : ""];
    assert.equal(target === undefined ? undefined : parts.filter((part) => part !== "").join(" "), expected);
  });
}
