import assert from "node:assert/strict";
import { test } from "node:test";
import { sveltosCrds, gvkOf } from "../api/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { mapAt, stringAt } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { generateKubeconfig, register } from "./index.ts";

const { signal } = new AbortController();

async function hubWithKinds() {
  const clock = new VirtualClock();
  const hub = connect(startEmbeddedCluster({ clock, certificate: "CA" }).exchange, { clock });
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
});

test("invalid names and labels are refused before anything is created", async () => {
  const { hub } = await hubWithKinds();
  const bad = { namespace: "fleet", name: "East_1", kubeconfig: "", labels: { env: "a b" } };
  await assert.rejects(register(hub, bad, signal), /register cluster East_1: the name: .*; label env=a b: /);
  assert.equal(await hub.find({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "fleet" }), undefined);
});

test("generateKubeconfig fails without a token issuer or without the ServiceAccount", async () => {
  const { hub, clock } = await hubWithKinds();
  const making = generateKubeconfig(hub, { server: "https://h:1", create: true, signal });
  await assert.rejects(clock.until(making), /service account projectsveltos\/projectsveltos: .*token/);
  const role = await hub.get({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind: "ClusterRole",
    namespace: "",
    name: "projectsveltos",
  });
  assert.ok(role);
});
