import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, namespacedPath, mergePatch, httpPost, httpDelete, type ConformanceCase } from "../conformance-case.ts";

const services = namespacedPath("v1", "services");
const slices = `${namespacedPath("discovery.k8s.io/v1", "endpointslices")}?labelSelector=kubernetes.io%2Fservice-name%3Dweb`;
const endpoints = namespacedPath("v1", "endpoints", "web");
const service = (spec: { readonly [field: string]: Json }) => ({ apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec });
const pod = (name: string, image = "good:1") =>
  httpPost(
    namespacedPath("v1", "pods"),
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: `example.com/${image}`, ports: [{ name: "http", containerPort: 8080 }] }] },
    },
    { show: [] },
  );
const running = (name: string, ready: string) => ({
  waitFor: namespacedPath("v1", "pods", name),
  until: { "status.phase": "Running", "condition:Ready": ready },
  show: ["status.phase"],
});
const endpointOf = (pod: string) => `endpoints.targetRef\\.name=${pod}`;
const ports = [{ name: "http", port: 80, targetPort: "http" }];

/** Services and their endpoints. */
export const networkCases: readonly ConformanceCase[] = [
  {
    id: "network/cluster-ip",
    title: "a Service gets an address",
    steps: [httpPost(`${services}?fieldManager=one`, service({ ports: [{ port: 80 }] })), httpGet(`${services}/web`)],
  },
  {
    id: "network/node-port",
    title: "a Service of type NodePort gets a port",
    steps: [httpPost(services, service({ type: "NodePort", ports: [{ port: 80 }] }))],
  },
  {
    id: "network/type-change",
    title: "a Service changes its type, and gets and loses ports",
    steps: [
      httpPost(services, service({ ports: [{ port: 80 }] }), { show: ["spec"] }),
      mergePatch(`${services}/web`, { spec: { type: "NodePort" } }, { show: ["spec"] }),
      mergePatch(`${services}/web`, { spec: { type: "ClusterIP" } }, { show: ["spec"] }),
    ],
  },
  {
    id: "network/cluster-ip-fixed",
    title: "an address cannot be changed, and must be in range",
    steps: [
      httpPost(services, service({ ports: [{ port: 80 }] }), { show: [] }),
      mergePatch(`${services}/web`, { spec: { clusterIP: "10.0.99.99", clusterIPs: ["10.0.99.99"] } }, { expect: 422 }),
      httpPost(services, { ...service({ clusterIP: "192.168.1.1", ports: [{ port: 80 }] }), metadata: { name: "b" } }, { expect: 422 }),
      httpPost(services, { ...service({ clusterIP: "nonsense", ports: [{ port: 80 }] }), metadata: { name: "b" } }, { expect: 422 }),
    ],
  },
  {
    id: "network/load-balancer",
    title: "a Service of type LoadBalancer gets an address from outside",
    steps: [
      httpPost(services, service({ type: "LoadBalancer", ports: [{ port: 80 }] }), { show: ["spec", "status"] }),
      { waitFor: `${services}/web`, until: { "status.loadBalancer.ingress.0.ipMode": "VIP" }, show: ["status"] },
    ],
  },
  {
    id: "network/endpoints",
    title: "ready pods stand behind a Service, others apart",
    steps: [
      httpPost(services, service({ selector: { app: "web" }, ports }), { show: [] }),
      pod("a"),
      pod("b", "never-ready:1"),
      running("a", "True"),
      running("b", "False"),
      {
        waitFor: endpoints,
        until: { "subsets.0.addresses.0.targetRef.name": "a", "subsets.0.notReadyAddresses.0.targetRef.name": "b" },
        show: ["metadata.labels", "subsets.0.ports", "subsets.0.addresses.0.targetRef.kind"],
      },
      {
        waitForAll: slices,
        count: 1,
        until: { [`${endpointOf("a")}.conditions.serving`]: true, [`${endpointOf("b")}.conditions.serving`]: false },
        show: [
          "metadata.labels",
          "metadata.ownerReferences",
          "metadata.generateName",
          "addressType",
          "ports",
          endpointOf("a"),
          endpointOf("b"),
        ],
      },
    ],
  },
  {
    id: "network/endpoints-gone",
    title: "without pods a Service has an empty slice",
    steps: [
      httpPost(services, service({ selector: { app: "web" }, ports }), { show: [] }),
      { waitFor: endpoints, until: "present", show: ["metadata.labels", "subsets"] },
      { waitForAll: slices, count: 1, show: ["metadata.labels", "addressType", "ports", "endpoints"] },
      httpDelete(`${services}/web`),
      { waitFor: endpoints, until: "gone" },
      { waitForAll: slices, count: 0 },
    ],
  },
  {
    id: "network/hand-written-endpoints",
    title: "hand-written Endpoints of a Service without a selector are mirrored",
    steps: [
      httpPost(services, service({ ports: [{ port: 80 }] }), { show: [] }),
      httpPost(
        namespacedPath("v1", "endpoints"),
        {
          apiVersion: "v1",
          kind: "Endpoints",
          metadata: { name: "web" },
          subsets: [
            {
              addresses: [
                { ip: "10.1.2.3", hostname: "one" },
                { ip: "10.1.2.4", hostname: "two" },
              ],
              ports: [{ port: 80 }],
            },
          ],
        },
        { show: ["subsets"] },
      ),
      {
        waitForAll: slices,
        count: 1,
        until: { "endpoints.hostname=one.conditions.ready": true, "endpoints.hostname=two.conditions.ready": true },
        show: ["metadata.labels", "metadata.ownerReferences", "addressType", "ports", "endpoints.hostname=one", "endpoints.hostname=two"],
      },
    ],
  },
  {
    id: "network/no-selector",
    title: "a Service without a selector gets no endpoints by itself",
    steps: [
      httpPost(services, service({ ports: [{ port: 80 }] }), { show: [] }),
      httpPost(services, { ...service({ ports, selector: { app: "other" } }), metadata: { name: "other" } }, { show: [] }),
      { waitFor: namespacedPath("v1", "endpoints", "other"), until: "present", show: ["metadata.name"] },
      httpGet(endpoints, { expect: 404 }),
    ],
  },
];
