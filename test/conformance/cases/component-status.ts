import { httpDelete, httpGet, httpPost, type ConformanceCase } from "../conformance-case.ts";

const path = "/api/v1/componentstatuses";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

/** How the components are. Those of a real control plane under test listen elsewhere than it looks, except etcd. */
export const componentStatusCases: readonly ConformanceCase[] = [
  {
    id: "component-status",
    title: "the components are listed with their health, and not stored",
    steps: [
      httpGet(`${path}/etcd-0`),
      httpGet(`${path}/etcd-0`, table),
      httpGet(`${path}?fieldSelector=metadata.name%3Detcd-0`),
      httpGet(`${path}?fieldSelector=metadata.name%3Detcd-0`, table),
      httpGet(path, { show: [] }),
      httpGet(`${path}?labelSelector=a%3Db`),
      httpGet(`${path}?fieldSelector=spec.x%3Dy`, { expect: 400 }),
      httpGet(`${path}/absent`, { expect: 404 }),
      httpGet(`${path}?watch=true`, { expect: 405 }),
      httpGet("/api/v1/watch/componentstatuses", { expect: 404 }),
      httpPost(path, { apiVersion: "v1", kind: "ComponentStatus", metadata: { name: "x" } }, { expect: 405 }),
      httpDelete(`${path}/etcd-0`, undefined, { expect: 405 }),
      httpDelete(path, undefined, { expect: 405 }),
    ],
  },
];
