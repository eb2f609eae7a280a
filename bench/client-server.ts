/** The server of the client benchmark: Deployments of 3.5 KB, one by one, in pages of 500, and as a burst of watch events. */
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { issueCertificate, createCertificateAuthority } from "../src/lang/x509/index.ts";

const objects = 10_000;
const events = 6000;
const pageSize = 500;
const size = 3500;

function deployment(name: string): string {
  const metadata = { name, namespace: "default", uid: name, resourceVersion: "10", labels: { app: name }, annotations: {} };
  const container = { name: "app", image: "registry.example/app:1", ports: [{ containerPort: 8080, protocol: "TCP" }], resources: {} };
  const entry = {
    manager: "kubectl",
    operation: "Update",
    apiVersion: "apps/v1",
    fieldsType: "FieldsV1",
    fieldsV1: {} as Record<string, object>,
  };
  const object = {
    metadata: { ...metadata, managedFields: [entry] },
    spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: { spec: { containers: [container] } } },
    status: { replicas: 3, readyReplicas: 3, conditions: [{ type: "Available", status: "True", reason: "MinimumReplicasAvailable" }] },
  };
  for (let field = 0; JSON.stringify(object).length < size; field++)
    entry.fieldsV1[`f:field-${field}`] = { "f:name": {}, "f:value": { ".": {} } };
  return JSON.stringify(object);
}

const all = Array.from({ length: objects }, (_, n) => deployment(`web-${n}`));
const single = `{"apiVersion":"apps/v1","kind":"Deployment",${all[1]!.slice(1)}`;
const burst = Buffer.from(`{"type":"MODIFIED","object":${single}}\n`.repeat(events));
const resource = {
  resource: "deployments",
  responseKind: { group: "apps", version: "v1", kind: "Deployment" },
  scope: "Namespaced",
  verbs: ["get", "list", "watch"],
};
const discovery = {
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  items: [{ metadata: { name: "apps" }, versions: [{ version: "v1", resources: [resource] }] }],
};

function page(token: string | null): string {
  const start = Number(token ?? 0);
  const next = start + pageSize < objects ? String(start + pageSize) : "";
  const items = all.slice(start, start + pageSize).join(",");
  return `{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{"resourceVersion":"10","continue":"${next}"},"items":[${items}]}`;
}

function answer(stream: ServerHttp2Stream, path: string): void {
  const { pathname, searchParams } = new URL(path, "http://server");
  stream.on("error", () => undefined); // the client closes the stream when it has enough
  stream.respond({ ":status": 200, "content-type": "application/json" });
  if (pathname === "/api") stream.end(JSON.stringify({ ...discovery, items: [] }));
  else if (pathname === "/apis") stream.end(JSON.stringify(discovery));
  else if (searchParams.has("watch")) stream.end(burst);
  else if (pathname.endsWith("/web-1")) stream.end(single);
  else stream.end(page(searchParams.get("continue")));
}

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };
const authority = createCertificateAuthority("bench", validity);
const leaf = issueCertificate(authority, { commonName: "bench", hosts: ["127.0.0.1"], usages: ["server"] }, validity);
const server = createSecureServer({ cert: leaf.certificate, key: leaf.key });
server.on("stream", (stream, headers) => answer(stream, String(headers[":path"])));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port, authority: authority.certificate }));
process.on("disconnect", () => process.exit());
