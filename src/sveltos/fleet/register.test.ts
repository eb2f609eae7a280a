import assert from "node:assert/strict";
import { test } from "node:test";
import { sveltosCrds, gvkOf } from "../api/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { mapAt, refOf, stringAt } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { generateKubeconfig, register } from "./index.ts";

const { signal } = new AbortController();

function startCluster(certificate = "CA") {
  const clock = new VirtualClock();
  return { clock, hub: connect(startEmbeddedCluster({ clock, authority: { certificate, key: "" } }).exchange, { clock }) };
}

async function hubWithKinds() {
  const { clock, hub } = startCluster();
  for (const crd of sveltosCrds()) await hub.create(crd);
  await clock.advance(1000);
  return { hub, clock };
}

test("register creates the namespace, Secret and SveltosCluster as sveltosctl does, and updates existing ones", async () => {
  const { hub } = await hubWithKinds();
  assert.equal(await register(hub, { namespace: "fleet", name: "east", kubeconfig: "one", labels: { env: "fv" } }, signal), "registered");
  assert.equal(await register(hub, { namespace: "fleet", name: "east", kubeconfig: "two", labels: { tier: "1" } }, signal), "updated");
  const secret = await hub.get({ group: "", version: "v1", kind: "Secret", namespace: "fleet", name: "east-sveltos-kubeconfig" });
  assert.equal(Buffer.from(mapAt(secret, "data")["kubeconfig"]!, "base64").toString(), "two");
  const cluster = await hub.get({ ...gvkOf("SveltosCluster"), namespace: "fleet", name: "east" });
  assert.deepEqual(cluster.metadata.labels, { tier: "1" });
  assert.equal(stringAt(cluster, "spec.kubeconfigKeyName"), "kubeconfig");

  await register(hub, { namespace: "fleet", name: "east", kubeconfig: "three" }, signal);
  const renewed = await hub.get({ ...gvkOf("SveltosCluster"), namespace: "fleet", name: "east" });
  assert.deepEqual(renewed.metadata.labels, { tier: "1" }, "new credentials leave the labels alone");
  await register(hub, { namespace: "fleet", name: "east", kubeconfig: "three", labels: {} }, signal);
  const bare = await hub.get({ ...gvkOf("SveltosCluster"), namespace: "fleet", name: "east" });
  assert.deepEqual(mapAt(bare, "metadata.labels"), {});
});

test("a cluster that is registered under another name is refused, unless a second name is asked for", async () => {
  const { hub } = await hubWithKinds();
  const add = (name: string, more: object = {}) => register(hub, { namespace: "fleet", name, kubeconfig: "k", uid: "u1", ...more }, signal);
  assert.equal(await add("east"), "registered");
  assert.equal(await add("east"), "updated", "the same name is the same cluster");
  const refused = /register cluster fleet\/west: it is registered already, as fleet\/east: .* uid u1 .*--allow-duplicate/;
  await assert.rejects(add("west"), refused);
  assert.equal(await hub.find({ ...secretKind, namespace: "fleet", name: "west-sveltos-kubeconfig" }), undefined, "nothing is written");
  assert.equal(await add("other", { uid: "u2" }), "registered");
  assert.equal(await add("unknown", { uid: undefined }), "registered");
  assert.equal(await add("west", { allowDuplicate: true }), "registered");
  assert.equal(await add("west", { labels: { env: "fv" } }), "updated", "once it was asked for it stays");

  // The controller knows better: north is another cluster by now, and south was registered by another tool.
  assert.equal(await add("north", { uid: "u3" }), "registered");
  for (const [clusterName, clusterUID] of [
    ["north", "u4"],
    ["unknown", "u5"],
    ["gone", "u6"],
  ] as const) {
    const spec = { clusterName, clusterNamespace: "fleet", clusterType: "Sveltos", clusterProfileSpec: {} };
    const metadata = { name: `web-sveltos-${clusterName}`, namespace: "fleet" };
    const summary = await hub.create({ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterSummary", metadata, spec });
    await hub.replace({ ...summary, status: { clusterUID } }, { subresource: "status" });
  }
  assert.equal(await add("a", { uid: "u3" }), "registered");
  await assert.rejects(add("b", { uid: "u5" }), /it is registered already, as fleet\/unknown/);
  assert.equal(await add("c", { uid: "u6" }), "registered", "what is no longer registered is no second name");
});

test("invalid names and labels are refused before anything is created", async () => {
  const { hub } = await hubWithKinds();
  const bad = { namespace: "fleet", name: "East_1", kubeconfig: "", labels: { env: "a b" } };
  await assert.rejects(register(hub, bad, signal), /register cluster East_1: the name: .*; label env=a b: /);
  assert.equal(await hub.find({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "fleet" }), undefined);
});

const secretKind = { group: "", version: "v1", kind: "Secret", namespace: "projectsveltos" };
const tokenPatch = { type: "merge", patch: { data: { token: Buffer.from("t").toString("base64") } } } as const;

test("generateKubeconfig creates the ServiceAccount and its rights, and asks for a token", async () => {
  const { hub, clock } = startCluster();
  assert.match(
    await clock.until(generateKubeconfig(hub, { server: "https://h:1", create: true, signal })),
    /token: ey[\w-]+\.ey[\w-]+\.[\w-]+\n/,
  );
  const role = await hub.get({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind: "ClusterRole",
    namespace: "",
    name: "projectsveltos",
  });
  assert.ok(role);
});

const admission = "admissionregistration.k8s.io/v1";
const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["secrets"] }];

/** Keeps the token controller from writing. */
const noTokens = {
  policy: {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "no-tokens" },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression: "!has(object.data) || !('token' in object.data)" }] },
  },
  binding: {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "no-tokens" },
    spec: { policyName: "no-tokens", validationActions: ["Deny"] },
  },
};

test("generateKubeconfig says what it waits for, and gives up by name after 30 s", async () => {
  const { hub, clock } = startCluster("");
  const waits: string[] = [];
  const generate = (options: object = {}) => {
    const making = generateKubeconfig(hub, {
      server: "https://h:1",
      create: true,
      lasting: true,
      onWait: (text) => waits.push(text),
      signal,
      ...options,
    });
    return clock.until(making);
  };
  await assert.rejects(generate({ create: false }), /there is no such service account: add --create to make it/);
  assert.deepEqual(waits, []);

  await hub.create(noTokens.policy);
  await hub.create(noTokens.binding);
  const start = clock.now();
  await assert.rejects(generate(), {
    message:
      "generate a kubeconfig for service account projectsveltos/projectsveltos: Secret projectsveltos/projectsveltos has had no token for 30 s, which the token controller of kube-controller-manager writes: see whether it runs, or register the cluster with another kubeconfig, such as one with a client certificate",
  });
  assert.equal(clock.now() - start, 30_000);
  const token =
    "waiting up to 30 s for the token in Secret projectsveltos/projectsveltos, which the token controller of kube-controller-manager writes";
  assert.deepEqual(waits, [token]);

  await hub.delete(refOf(noTokens.binding));
  await clock.advance(60_000);
  await assert.rejects(
    generate(),
    /ConfigMap projectsveltos\/kube-root-ca\.crt has had no CA certificate for 30 s, which the root-ca-cert-publisher/,
  );
  assert.match(waits.at(-1)!, /^waiting up to 30 s for the CA certificate in ConfigMap projectsveltos\/kube-root-ca\.crt/);

  await hub.create({ apiVersion: "v1", kind: "Secret", metadata: { name: "mine", namespace: "projectsveltos" } });
  await assert.rejects(
    generate({ serviceAccount: "mine" }),
    /Secret projectsveltos\/mine is there and holds no token of this service account/,
  );
});

test("generateKubeconfig goes on when the token is written", async () => {
  const { hub, clock } = startCluster();
  const making = generateKubeconfig(hub, {
    server: "https://h:1",
    create: true,
    lasting: true,
    onWait: () => void hub.patch({ ...secretKind, name: "projectsveltos" }, tokenPatch),
    signal,
  });
  assert.match(await clock.until(making), /token: t\n/);
});
