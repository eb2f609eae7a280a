/** The documented examples of examples/addons, and the results that each must have on any fleet. */
import assert from "node:assert/strict";
import { gvkOf } from "../../src/sveltos/api/index.ts";
import type { Cluster } from "../../src/kube/index.ts";
import {
  findCondition,
  equal,
  fieldsAt,
  listAt,
  numberAt,
  refOf,
  stringAt,
  type KubeObject,
  type ObjectRef,
} from "../../src/core/object/index.ts";
import { applyManifests, eventually, eventuallyGone, exampleManifests, deleteManifests, type TestFleet } from "./test-fleet.ts";

type AddonExample = { readonly name: string; readonly run: (fleet: TestFleet) => Promise<void> };

const networkPolicy = (name: string): ObjectRef => ({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  namespace: "default",
  name,
});
const core = (kind: string, namespace: string, name: string): ObjectRef => ({ group: "", version: "v1", kind, namespace, name });

/** Asserts the reference labels and the hash of a deployed object. */
function assertReferred({ metadata: { labels = {}, annotations = {} } }: KubeObject, hash?: string): void {
  assert.equal(labels["projectsveltos.io/reference-kind"], "ConfigMap");
  assert.equal(labels["projectsveltos.io/reference-namespace"], "projectsveltos");
  assert.match(labels["projectsveltos.io/reference-name"] ?? "", /^sveltos-[0-9a-z]{20}$/);
  if (hash !== undefined) assert.equal(annotations["projectsveltos.io/hash"], `sha256:${hash}`);
}

/** Asserts that nothing of a trigger is left in the management cluster. */
async function assertTidy(fleet: TestFleet, trigger: string): Promise<void> {
  for (const kind of [gvkOf("ClusterProfile"), gvkOf("ClusterSummary"), core("ConfigMap", "", "")]) {
    const { items } = await fleet.until(fleet.hub.list(kind));
    const left = items.filter(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventtriggername"] === trigger);
    assert.deepEqual(
      left.map(({ metadata }) => metadata.name),
      [],
      `${kind.kind}s of ${trigger}`,
    );
  }
}

/** One NetworkPolicy for each Service. The examples differ in their EventSource. */
function networkPolicies(folder: string): AddonExample {
  return {
    name: `examples/addons/${folder}: a NetworkPolicy for each labelled Service, gone with it`,
    async run(fleet) {
      const {
        hub,
        managed: [one],
      } = fleet;
      const manifests = exampleManifests(`${folder}/*.yaml`);
      await applyManifests(fleet, hub, manifests);
      await applyManifests(fleet, one, exampleManifests(`${folder}/managed/*.yaml`));
      const mine = await eventually(fleet, one, networkPolicy("front-my-service"));
      assertReferred(mine, "8e7e0a7848eef3f75aed25d1136631dd58bdb9761709a9c46153bb5d04d69e8b");
      assert.deepEqual(mine["spec"], {
        ingress: [{ from: [{ podSelector: { matchLabels: { app: "internal" } } }], ports: [{ port: 80, protocol: "TCP" }] }],
        podSelector: { matchLabels: { "app.kubernetes.io/name": "MyApp" } },
        policyTypes: ["Ingress"],
      });
      const other = await eventually(fleet, one, networkPolicy("front-another-service"));
      assert.deepEqual(fieldsAt(other, "spec.podSelector.matchLabels"), { "app.kubernetes.io/name": "MyApp-secure" });
      await fleet.until(one.delete(core("Service", "default", "another-service")));
      await eventuallyGone(fleet, one, networkPolicy("front-another-service"));
      assert.equal((await fleet.until(one.get(networkPolicy("front-my-service")))).metadata.uid, mine.metadata.uid);
      await deleteManifests(fleet, hub, manifests);
      await eventuallyGone(fleet, one, networkPolicy("front-my-service"));
      await eventuallyGone(fleet, hub, { ...gvkOf("EventBasedAddOn"), namespace: "", name: "service-network-policy" });
      await assertTidy(fleet, "service-network-policy");
      await fleet.until(one.delete(core("Service", "default", "my-service")));
    },
  };
}

const paths = (object: KubeObject) => listAt(listAt(object, "spec.rules")[0], "http.paths");

const backend = (name: string, number: number) => ({
  backend: { service: { name, port: { number } } },
  path: `/${name}`,
  pathType: "Prefix",
});

const ingress: AddonExample = {
  name: "examples/addons/ingress: one Ingress over all https Services",
  async run(fleet) {
    const {
      hub,
      managed: [one],
    } = fleet;
    const manifests = exampleManifests("ingress/*.yaml");
    const ref = { group: "networking.k8s.io", version: "v1", kind: "Ingress", namespace: "default", name: "ingress" };
    await applyManifests(fleet, hub, manifests);
    await applyManifests(fleet, one, exampleManifests("ingress/managed/*.yaml"));
    const made = await eventually(fleet, one, ref, (object) => paths(object).length === 2);
    assertReferred(made, "bc1e74450d20acedefca38f20cb998b7b24c12ac34e4b501d19b617568926140");
    assert.equal(made.metadata.annotations?.["nginx.ingress.kubernetes.io/rewrite-target"], "/");
    assert.deepEqual(made["spec"], {
      ingressClassName: "http-ingress",
      rules: [{ http: { paths: [backend("my-service", 443), backend("my-service-2", 8443)] } }],
    });
    await fleet.until(one.delete(core("Service", "eng", "my-service")));
    await eventually(fleet, one, ref, (object) => paths(object).length === 1);
    await fleet.until(one.delete(core("Service", "eng", "my-service-2")));
    await eventuallyGone(fleet, one, ref);
    await deleteManifests(fleet, hub, manifests);
    await eventuallyGone(fleet, hub, { ...gvkOf("EventBasedAddOn"), namespace: "", name: "ingress-configuration" });
    await assertTidy(fleet, "ingress-configuration");
  },
};

const httpRoute: AddonExample = {
  name: "examples/addons/http-route: an HTTPRoute for each Service, once the Gateway API is there",
  async run(fleet) {
    const {
      hub,
      managed: [one],
    } = fleet;
    const manifests = exampleManifests("http-route/*.yaml");
    const ref = { group: "gateway.networking.k8s.io", version: "v1beta1", kind: "HTTPRoute", namespace: "eng", name: "my-service" };
    await applyManifests(fleet, hub, manifests);
    await applyManifests(fleet, one, exampleManifests("http-route/managed/*.yaml"));
    await applyManifests(fleet, one, [httpRoutes]);
    const made = await eventually(fleet, one, ref);
    assertReferred(made);
    assert.equal(made.metadata.labels?.["app.kubernetes.io/name"], "MyApp");
    assert.deepEqual(made["spec"], {
      parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "contour", namespace: "projectcontour" }],
      hostnames: ["local.projectcontour.io"],
      rules: [
        {
          matches: [{ path: { type: "PathPrefix", value: "/my-service" } }],
          backendRefs: [{ kind: "Service", name: "my-service", port: 80 }],
        },
      ],
    });
    await fleet.until(one.delete(core("Service", "eng", "my-service")));
    await eventuallyGone(fleet, one, ref);
    await deleteManifests(fleet, hub, manifests);
    await eventuallyGone(fleet, hub, { ...gvkOf("EventBasedAddOn"), namespace: "", name: "service-network-policy" });
    await assertTidy(fleet, "service-network-policy");
  },
};

const chart: AddonExample = {
  name: "examples/addons/chart: a chart when an event happens, uninstalled when it is over",
  async run(fleet) {
    const {
      hub,
      managed: [one],
    } = fleet;
    const manifests = exampleManifests("chart/*.yaml").map((object) => fromRepository(object, fleet.repository));
    await applyManifests(fleet, hub, manifests);
    await applyManifests(fleet, one, exampleManifests("chart/managed/*.yaml"));
    const settings = core("ConfigMap", "kyverno", "kyverno-latest");
    const release = { ...core("Secret", "kyverno", "sh.helm.release.v1.kyverno-latest.v1") };
    await eventually(fleet, one, settings);
    await eventually(fleet, one, release, ({ metadata }) => metadata.labels?.["status"] === "deployed");
    await fleet.until(one.delete(core("Service", "default", "my-service")));
    await eventuallyGone(fleet, one, settings);
    await eventuallyGone(fleet, one, release);
    await deleteManifests(fleet, hub, manifests);
    await eventuallyGone(fleet, hub, { ...gvkOf("EventBasedAddOn"), namespace: "", name: "service-network-policy" });
    await assertTidy(fleet, "service-network-policy");
  },
};

function fromRepository(object: KubeObject, repositoryURL: string): KubeObject {
  const charts = listAt(object, "spec.helmCharts");
  if (charts.length === 0) return object;
  return { ...object, spec: { ...fieldsAt(object, "spec"), helmCharts: charts.map((each) => ({ ...(each as object), repositoryURL })) } };
}

const leadsTo = (ip: string) => (object: KubeObject) =>
  equal(object["subsets"], [{ addresses: [{ ip }], ports: [{ port: 60_000, protocol: "TCP" }] }]);

const serviceDiscovery: AddonExample = {
  name: "examples/addons/service-discovery: a load balancer of one cluster is known in the other",
  async run(fleet) {
    const {
      hub,
      managed: [one, two],
    } = fleet;
    await fleet.relabel({ env: "production" });
    const manifests = exampleManifests("service-discovery/*.yaml");
    const served = exampleManifests("service-discovery/managed/*.yaml");
    await applyManifests(fleet, hub, manifests);
    await applyManifests(fleet, one, served);
    const balancer = core("Service", "default", "my-lb-service");
    await assign(fleet, one, balancer, "34.172.32.172");
    const external = (kind: string) => core(kind, "external", "external-my-lb-service");
    const service = await eventually(fleet, two, external("Service"));
    assert.deepEqual(listAt(service, "spec.ports"), [{ port: 60_000, protocol: "TCP", targetPort: 50_001 }]);
    assert.equal(stringAt(service, "spec.type"), "ClusterIP");
    assert.equal(fieldsAt(service, "spec")["selector"], undefined);
    assert.ok(leadsTo("34.172.32.172")(await eventually(fleet, two, external("Endpoints"))));
    await mirrored(fleet, two, "34.172.32.172");
    await assign(fleet, one, balancer, "34.172.32.173");
    await eventually(fleet, two, external("Endpoints"), leadsTo("34.172.32.173"));
    assert.equal(await fleet.until(one.find(external("Service"))), undefined);
    await deleteManifests(fleet, one, served);
    await eventuallyGone(fleet, two, external("Service"));
    await eventuallyGone(fleet, two, external("Endpoints"));
    assert.ok(await fleet.until(two.find(core("Namespace", "", "external"))), "a namespace that was made for add-ons stays");
    await deleteManifests(fleet, hub, manifests);
    await eventuallyGone(fleet, hub, { ...gvkOf("EventTrigger"), namespace: "", name: "service-policy" });
    await assertTidy(fleet, "service-policy");
    await fleet.relabel({ env: "fv" });
  },
};

/** Writes the address that a load balancer would have. */
async function assign(fleet: TestFleet, cluster: Cluster, ref: ObjectRef, ip: string): Promise<void> {
  const patch = { status: { loadBalancer: { ingress: [{ ip }] } } };
  await fleet.until(cluster.patch(ref, { type: "merge", patch }, { subresource: "status" }));
}

/** Kubernetes mirrors manually created Endpoints into an EndpointSlice. */
async function mirrored(fleet: TestFleet, cluster: Cluster, address: string): Promise<void> {
  const slices = { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" };
  const labelSelector =
    "kubernetes.io/service-name=external-my-lb-service,endpointslice.kubernetes.io/managed-by=endpointslicemirroring-controller.k8s.io";
  for (let turn = 0; turn < 50; turn++) {
    const { items } = await fleet.until(cluster.list(slices, { namespace: "external", labelSelector }));
    if (items.some((slice) => JSON.stringify(slice["endpoints"] ?? []).includes(address))) return;
    await fleet.settle();
  }
  assert.fail("the Endpoints were not mirrored");
}

const todo = (group: string, kind: string, name: string): ObjectRef => ({ group, version: "v1", kind, namespace: "todo", name });

const createdAt = (object: KubeObject | undefined) => Date.parse(object?.metadata.creationTimestamp ?? "");

const postgresql: AddonExample = {
  name: "examples/addons/postgresql-order: database, table, application and data, each when the one before is healthy",
  async run(fleet) {
    const {
      hub,
      managed: [one, two],
    } = fleet;
    const job = (name: string) => todo("batch", "Job", name);
    const deployment = (name: string) => todo("apps", "Deployment", name);
    const manifests = [
      ...exampleManifests("postgresql-order/configmaps.yaml"),
      ...exampleManifests("postgresql-order/{insert-table,todo-app,insert-data,postgresql}.yaml"),
    ];
    await applyManifests(fleet, hub, manifests);
    const inserted = await eventually(fleet, one, job("todo-insert"), (object) => findCondition(object, "Complete", "True") !== undefined);
    const [database, table, app] = await Promise.all(
      [deployment("postgresql"), job("todo-table"), deployment("todo-gitops")].map((ref) => fleet.until(one.get(ref))),
    );
    const order = [database, table, app, inserted].map(createdAt);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      "each comes after the one before",
    );
    assert.ok(createdAt(app) >= Date.parse(stringAt(table, "status.completionTime", "")), "the application waits for the table");
    assert.equal(numberAt(database, "status.availableReplicas"), 1);
    assert.equal(await fleet.until(two.find(deployment("postgresql"))), undefined, "a cluster that does not match has nothing");

    // The database becomes unhealthy: nothing is removed, and nothing runs twice.
    const uids = [table, app, inserted].map((object) => object?.metadata.uid);
    await fleet.until(one.delete(deployment("postgresql")));
    await fleet.settle();
    const after = await Promise.all(
      [job("todo-table"), deployment("todo-gitops"), job("todo-insert")].map((ref) => fleet.until(one.find(ref))),
    );
    assert.deepEqual(
      after.map((object) => object?.metadata.uid),
      uids,
    );

    await deleteManifests(fleet, hub, manifests);
    for (const trigger of ["deploy-insert-table-job", "deploy-todo-app", "insert-data"]) {
      await eventuallyGone(fleet, hub, { ...gvkOf("EventTrigger"), namespace: "", name: trigger });
      await assertTidy(fleet, trigger);
    }
    await eventuallyGone(fleet, hub, { ...gvkOf("ClusterProfile"), namespace: "", name: "postgresql" });
    assert.equal(await fleet.until(one.find(todo("", "Service", "postgresql"))), undefined, "the profile takes its objects with it");
    assert.ok(await fleet.until(one.find(deployment("todo-gitops"))), "LeavePolicies leaves the application");
    const left = exampleManifests("postgresql-order/content/{postgresql_job,todo_app,todo_insert}.yaml");
    await deleteManifests(fleet, one, left);
    for (const object of left) await eventuallyGone(fleet, one, refOf(object));
  },
};

const anything = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** The relevant part of the Gateway API's HTTPRoute. */
const httpRoutes: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "httproutes.gateway.networking.k8s.io",
    annotations: { "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api/pull/2466" },
  },
  spec: {
    group: "gateway.networking.k8s.io",
    scope: "Namespaced",
    names: { plural: "httproutes", singular: "httproute", kind: "HTTPRoute", listKind: "HTTPRouteList" },
    versions: [{ name: "v1beta1", served: true, storage: true, schema: anything }],
  },
};

export const addonExamples: readonly AddonExample[] = [
  networkPolicies("network-policy"),
  networkPolicies("network-policy-lua"),
  chart,
  ingress,
  httpRoute,
  serviceDiscovery,
  postgresql,
];
