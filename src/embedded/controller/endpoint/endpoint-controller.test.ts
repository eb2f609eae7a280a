import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt, listAt, stringAt, stringsAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

const steady = { match: {}, pull: "1s", start: 0, terminate: "2s" };
const slices = "endpointslices.discovery.k8s.io";

function service(name: string, spec: object, labels: Record<string, string> = {}) {
  return {
    metadata: { name, labels },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: "http" }], ...spec },
  };
}

function pod(name: string, spec: object = {}, metadata: object = {}) {
  const containers = [{ name: "c", image: "app:1", ports: [{ name: "http", containerPort: 8080 }] }];
  return { metadata: { name, labels: { app: "web" }, ...metadata }, spec: { containers, ...spec } };
}

/** `10.244.0.1+ 10.244.0.2-` for ready and not ready, with the ports. */
function endpointsOf(harness: ControllerHarness, name: string): string {
  return listAt(harness.read("endpoints", name), "subsets")
    .map((subset) => {
      const ready = listAt(subset, "addresses").map(({ ip }) => `${String(ip)}+`);
      const notReady = listAt(subset, "notReadyAddresses").map(({ ip }) => `${String(ip)}-`);
      const ports = listAt(subset, "ports").map(({ name: port = "", port: number }) => `${String(port)}:${String(number)}`);
      return `${[...ready, ...notReady].join(" ")} ${ports.join(" ")}`.trim();
    })
    .join(" | ");
}

/** The same from slices: `+` ready, `s` serving, `t` terminating. */
function slicesOf(harness: ControllerHarness): string {
  return harness.api
    .list(slices, "default")
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] !== "kubernetes")
    .map((slice) => {
      const endpoints = listAt(slice, "endpoints").map((endpoint) => {
        const { ready, serving, terminating } = fieldsAt(endpoint, "conditions");
        return `${stringsAt(endpoint, "addresses").join()}${ready === true ? "+" : ""}${serving === true ? "s" : ""}${terminating === true ? "t" : ""}`;
      });
      const ports = listAt(slice, "ports").map(({ name = "", port }) => `${String(name)}:${String(port)}`);
      return `${endpoints.join(" ")} ${ports.join(" ")}`.trim();
    })
    .join(" | ");
}

test("a Service without pods has an empty Endpoints and one empty slice", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  const made = harness.create("services", service("web", {}, { tier: "front" }));
  await harness.settle();
  assert.equal(endpointsOf(harness, "web"), "");
  assert.deepEqual(harness.read("endpoints", "web").metadata.labels, {
    tier: "front",
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
  });
  const [slice] = harness.api.list(slices, "default").filter(({ metadata }) => metadata.generateName === "web-");
  assert.deepEqual(slice?.metadata.labels, {
    tier: "front",
    "kubernetes.io/service-name": "web",
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
  });
  assert.deepEqual(slice?.metadata.ownerReferences, [
    { apiVersion: "v1", kind: "Service", name: "web", uid: made.metadata.uid, controller: true, blockOwnerDeletion: true },
  ]);
  assert.equal(slice?.metadata.annotations?.["endpoints.kubernetes.io/last-change-trigger-time"], "2030-01-01T00:00:00Z");
});

test("pods come and go behind a Service as they are ready, and the slice stays the same one", async () => {
  const harness = new ControllerHarness({ rules: [{ ...steady, match: { name: "slow" }, ready: "10s" }, steady] });
  harness.create("services", service("web", {}));
  harness.create("pods", pod("fast"));
  harness.create("pods", pod("slow"));
  harness.create("pods", pod("other", {}, { labels: { app: "db" } }));
  await harness.clock.advance(100);
  const before = harness.names(slices);
  await harness.clock.advance(3000);
  assert.equal(endpointsOf(harness, "web"), "10.244.0.1+ 10.244.0.2- http:8080");
  assert.equal(slicesOf(harness), "10.244.0.1+s 10.244.0.2 http:8080");
  await harness.settle();
  assert.equal(endpointsOf(harness, "web"), "10.244.0.1+ 10.244.0.2+ http:8080");
  harness.api.delete("pods", "default", "fast");
  await harness.clock.advance(1000);
  assert.equal(endpointsOf(harness, "web"), "10.244.0.2+ http:8080");
  assert.equal(slicesOf(harness), "10.244.0.1st 10.244.0.2+s http:8080");
  await harness.settle();
  assert.equal(slicesOf(harness), "10.244.0.2+s http:8080");
  assert.equal(harness.names(slices), before);
});

const forms: Record<string, { spec: object; pods?: object[]; endpoints: string; slices: string }> = {
  "not ready, and published all the same": {
    spec: { publishNotReadyAddresses: true },
    endpoints: "10.244.0.1+ http:8080",
    slices: "10.244.0.1+ http:8080",
  },
  "headless without ports": { spec: { clusterIP: "None", ports: [] }, endpoints: "10.244.0.1-", slices: "10.244.0.1" },
  "a port by number": { spec: { ports: [{ port: 80, targetPort: 9090 }] }, endpoints: "10.244.0.1- :9090", slices: "10.244.0.1 :9090" },
  "a port that the pod does not name": { spec: { ports: [{ port: 80, targetPort: "metrics" }] }, endpoints: "", slices: "10.244.0.1" },
};

for (const [name, { spec, endpoints, slices: expected }] of Object.entries(forms)) {
  test(name, async () => {
    const harness = new ControllerHarness({ rules: [{ ...steady, ready: "never" }] });
    harness.create("services", service("web", spec));
    harness.create("pods", pod("a"));
    await harness.settle();
    assert.equal(endpointsOf(harness, "web"), endpoints);
    assert.equal(slicesOf(harness), expected);
  });
}

test("a deleted Service's Endpoints and slices are deleted", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("services", service("web", {}));
  harness.create("pods", pod("a"));
  await harness.settle();
  harness.api.delete("services", "default", "web");
  await harness.settle();
  assert.equal(harness.api.read("endpoints", "default", "web"), undefined);
  assert.equal(slicesOf(harness), "");
});

test("more than a hundred endpoints take another slice", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("services", service("web", {}));
  for (let index = 0; index < 103; index++) harness.create("pods", pod(`a-${index}`));
  await harness.settle();
  const sizes = harness.api.list(slices, "default").map((slice) => listAt(slice, "endpoints").length);
  assert.deepEqual(
    sizes.toSorted((a, b) => a - b).filter((size) => size > 0),
    [3, 100],
  );
});

test("Endpoints written by hand are mirrored, and follow", async () => {
  const harness = new ControllerHarness();
  harness.create("services", { metadata: { name: "db" }, spec: { ports: [{ port: 5432 }] } });
  harness.create("endpoints", {
    metadata: { name: "db" },
    subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ port: 5432, protocol: "TCP" }] }],
  });
  await harness.settle();
  assert.equal(slicesOf(harness), "192.0.2.7+ :5432");
  const [slice] = harness.api.list(slices, "default").filter(({ metadata }) => metadata.generateName === "db-");
  assert.equal(slice?.metadata.labels?.["endpointslice.kubernetes.io/managed-by"], "endpointslicemirroring-controller.k8s.io");
  harness.api.update(
    "endpoints",
    {
      ...harness.read("endpoints", "db"),
      subsets: [{ notReadyAddresses: [{ ip: "192.0.2.8" }], ports: [{ port: 5432, protocol: "TCP" }] }],
    },
    "test",
  );
  await harness.settle();
  assert.equal(slicesOf(harness), "192.0.2.8 :5432");
  harness.api.delete("endpoints", "default", "db");
  await harness.settle();
  assert.equal(slicesOf(harness), "");
});

test("an ExternalName Service is left alone", async () => {
  const harness = new ControllerHarness();
  harness.create("services", {
    metadata: { name: "ext" },
    spec: { type: "ExternalName", externalName: "example.com", selector: { app: "web" } },
  });
  await harness.settle();
  assert.equal(harness.api.read("endpoints", "default", "ext"), undefined);
  assert.equal(stringAt(harness.read("services", "ext"), "spec.type"), "ExternalName");
});
