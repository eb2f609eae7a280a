import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionFixture, admissionResult, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

/** A quota from `name=used/hard` words. */
function quota(words: string, spec: object = {}, name = "q"): PartialObject {
  const entries = words.split(" ").map((word) => {
    const [, item = "", used = "", hard = ""] = /^(.*)=(.*)\/(.*)$/.exec(word) ?? [];
    return { item, used, hard };
  });
  const hard = Object.fromEntries(entries.map((entry) => [entry.item, entry.hard]));
  const used = Object.fromEntries(entries.filter((entry) => entry.used !== "").map((entry) => [entry.item, entry.used]));
  return { metadata: { name }, spec: { hard, ...spec }, status: { hard, used } };
}

function pod(resources: object = {}, spec: object = {}): PartialObject {
  return { spec: { containers: [{ name: "c", image: "i", resources }], ...spec } };
}

function service(spec: object): PartialObject {
  return { spec: { ports: [{ port: 80 }, { port: 81 }], ...spec } };
}

function claim(storage: string, storageClassName = "fast"): PartialObject {
  return { spec: { storageClassName, resources: { requests: { storage } } }, status: { phase: "Bound" } };
}

const cpu = (amount: string) => ({ requests: { cpu: amount } });
const claims = "persistentvolumeclaims";

type Case = { quota: PartialObject; resource: string; object: PartialObject; expected: string };
const creates: Record<string, Case> = {
  "room for one more": { quota: quota("pods=1/2"), resource: "pods", object: pod(), expected: "q pods=2" },
  "no room": {
    quota: quota("pods=2/2", {}, "few"),
    resource: "pods",
    object: pod(),
    expected: '403 pods "a" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2',
  },
  "only what is exceeded is spoken of": {
    quota: quota("pods=0/2 requests.cpu=600m/1 requests.memory=0/1Gi"),
    resource: "pods",
    object: pod({ requests: { cpu: "600m", memory: "1Mi" } }),
    expected:
      '403 pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  },
  "several at once, in order": {
    quota: quota("requests.memory=1Gi/1Gi requests.cpu=1/1"),
    resource: "pods",
    object: pod({ requests: { cpu: "1", memory: "1Mi" } }),
    expected:
      '403 pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=1,requests.memory=1Mi, used: requests.cpu=1,requests.memory=1Gi, limited: requests.cpu=1,requests.memory=1Gi',
  },
  "requests and limits are charged under each of their names": {
    quota: quota("cpu=0/9 requests.cpu=500m/9 limits.cpu=0/9"),
    resource: "pods",
    object: pod({ requests: { cpu: "250m" }, limits: { cpu: "1" } }),
    expected: "q cpu=250m requests.cpu=750m limits.cpu=1",
  },
  "what is limited must be asked for": {
    quota: quota("cpu=0/9 limits.memory=0/9Gi"),
    resource: "pods",
    object: { spec: { containers: [{ name: "b" }, { name: "a", resources: cpu("1") }], initContainers: [{ name: "i" }] } },
    expected: '403 pods "a" is forbidden: failed quota: q: must specify cpu for: b,i; limits.memory for: a,b,i',
  },
  "the pod can ask for its containers": {
    quota: quota("requests.cpu=0/9"),
    resource: "pods",
    object: pod({}, { resources: cpu("2") }),
    expected: "q requests.cpu=2",
  },
  "other resources need not be asked for": { quota: quota("requests.example.com/gpu=0/1"), resource: "pods", object: pod(), expected: "" },
  devices: {
    quota: quota("requests.example.com/gpu=0/1"),
    resource: "pods",
    object: pod({ requests: { "example.com/gpu": "2" } }),
    expected:
      '403 pods "a" is forbidden: exceeded quota: q, requested: requests.example.com/gpu=2, used: requests.example.com/gpu=0, limited: requests.example.com/gpu=1',
  },
  "a quota without status.used": {
    quota: quota("pods=/2 cpu=/1"),
    resource: "pods",
    object: pod(cpu("1")),
    expected: '403 pods "a" is forbidden: status unknown for quota: q, resources: cpu,pods',
  },
  "a quota without a status": { quota: { spec: { hard: { pods: "0" } } }, resource: "pods", object: pod(), expected: "" },
  "a scope that the pod is in": {
    quota: quota("pods=1/1", { scopes: ["BestEffort"] }),
    resource: "pods",
    object: pod(),
    expected: '403 pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  },
  "a scope that it is not in": { quota: quota("pods=1/1", { scopes: ["Terminating"] }), resource: "pods", object: pod(), expected: "" },
  "affinity to other namespaces": {
    quota: quota("pods=0/0", { scopeSelector: { matchExpressions: [{ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }] } }),
    resource: "pods",
    object: pod({}, { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ namespaces: ["x"] }] } } }),
    expected: '403 pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  "a quota with scopes leaves services alone": {
    quota: quota("services=1/1", { scopes: ["BestEffort"] }),
    resource: "services",
    object: service({ type: "ClusterIP" }),
    expected: "",
  },
  "objects of any kind": {
    quota: quota("count/widgets.example.com=1/1"),
    resource: "widgets.example.com",
    object: {},
    expected:
      '403 widgets.example.com "a" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=1, limited: count/widgets.example.com=1',
  },
  "both names of a count": {
    quota: quota("secrets=0/1 count/secrets=0/1"),
    resource: "secrets",
    object: {},
    expected: "q secrets=1 count/secrets=1",
  },
  "events are free": { quota: quota("count/events=0/0"), resource: "events", object: {}, expected: "" },
  "a load balancer": {
    quota: quota("services=0/9 services.nodeports=0/9 services.loadbalancers=0/9"),
    resource: "services",
    object: service({ type: "LoadBalancer" }),
    expected: "q services=1 services.nodeports=2 services.loadbalancers=1",
  },
  "a load balancer without ports on nodes": {
    quota: quota("services.nodeports=0/0 services.loadbalancers=0/9"),
    resource: "services",
    object: service({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
    expected: "q services.nodeports=0 services.loadbalancers=1",
  },
  "storage, all and of one class": {
    quota: quota(
      "requests.storage=1Gi/9Gi fast.storageclass.storage.k8s.io/requests.storage=0/9Gi slow.storageclass.storage.k8s.io/requests.storage=0/1",
    ),
    resource: claims,
    object: claim("2Gi"),
    expected:
      "q requests.storage=3Gi fast.storageclass.storage.k8s.io/requests.storage=2Gi slow.storageclass.storage.k8s.io/requests.storage=0",
  },
};

for (const [name, { quota: limit, resource, object, expected }] of Object.entries(creates)) {
  test(name, () => {
    const cluster = new AdmissionFixture({ resourcequotas: [limit] });
    const result = admissionResult(() => cluster.create(resource, object));
    assert.equal(result === "let in" ? cluster.quotaUpdates.join("; ") : result, expected);
  });
}

const updates: Record<
  string,
  { quota: PartialObject; resource: string; before: PartialObject; after: PartialObject; subresource?: string; expected: string }
> = {
  "a service that becomes a load balancer": {
    quota: quota("services=5/5 services.loadbalancers=0/1"),
    resource: "services",
    before: service({ type: "ClusterIP" }),
    after: service({ type: "LoadBalancer" }),
    expected: "q services=5 services.loadbalancers=1",
  },
  "a service that stays what it is": {
    quota: quota("services=5/5"),
    resource: "services",
    before: service({ type: "ClusterIP" }),
    after: service({ type: "ClusterIP", selector: { app: "a" } }),
    expected: "",
  },
  "a pod that gets a deadline comes into scope": {
    quota: quota("pods=1/1", { scopes: ["Terminating"] }),
    resource: "pods",
    before: pod(),
    after: pod({}, { activeDeadlineSeconds: 5 }),
    expected: '403 pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  },
  "a status write updates the usage and is not rejected": {
    quota: quota("requests.storage=5Gi/5Gi"),
    resource: claims,
    before: claim("5Gi"),
    after: { ...claim("5Gi"), status: { phase: "Bound", allocatedResources: { storage: "6Gi" } } },
    subresource: "status",
    expected: "q requests.storage=6Gi",
  },
};

for (const [name, { quota: limit, resource, before, after, subresource = "", expected }] of Object.entries(updates)) {
  test(name, () => {
    const cluster = new AdmissionFixture({ resourcequotas: [limit] });
    const result = admissionResult(() => cluster.update(resource, before, after, subresource));
    assert.equal(result === "let in" ? cluster.quotaUpdates.join("; ") : result, expected);
  });
}

test("no quota is updated when one of several rejects, or in a dry run", () => {
  const cluster = new AdmissionFixture({ resourcequotas: [quota("pods=0/9"), quota("count/pods=9/9", {}, "full")] });
  assert.match(
    admissionResult(() => cluster.create("pods", pod())),
    /exceeded quota: full/,
  );
  assert.deepEqual(cluster.quotaUpdates, []);
  const roomy = new AdmissionFixture({ resourcequotas: [quota("pods=0/9")] });
  roomy.create("pods", pod(), { dryRun: true });
  assert.deepEqual(roomy.quotaUpdates, []);
});

test("deleting uses nothing", () => {
  const cluster = new AdmissionFixture({ resourcequotas: [quota("pods=9/1")] });
  assert.equal(
    admissionResult(() => cluster.delete("pods", pod())),
    "let in",
  );
});
