import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { isApiFault, openCluster } from "../../src/kube/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { impersonating } from "./impersonating.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { runSluiceProcess, type ProgramResult } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

// Admission that the embedded cluster does not have: webhooks, policies, Pod Security.

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-deferral-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const clock = new RealClock();

const namespaceOf = (name: string, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});
const strict = `${namespace}-strict`;

before(async () => {
  await cluster.create(namespaceOf(namespace));
  await cluster.create(namespaceOf(strict, { "pod-security.kubernetes.io/enforce": "restricted" }));
});
after(async () => {
  for (const name of [namespace, strict]) await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name });
  for (const kind of ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"])
    await cluster.delete({ ...admission, kind, namespace: "", name: namespace }).catch(() => undefined);
  close();
  rmSync(folder, { recursive: true, force: true });
});

const admission = { group: "admissionregistration.k8s.io", version: "v1" };
const selector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
const first = { "werf.io/weight": "-1" };

function source(name: string, ...objects: readonly KubeObject[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => `---\n${writeYaml(object)}`).join(""));
  return path;
}

function sluice(command: string, config = kubeconfig): Promise<ProgramResult> {
  return runSluiceProcess(config, [...command.split(" "), "-n", namespace, "--take-ownership", "--force-conflicts"]);
}

async function good(command: string, config?: string): Promise<ProgramResult> {
  const result = await sluice(command, config);
  assert.equal(result.code, 0, `sluice ${command}: ${result.out}${result.err}`);
  return result;
}

async function refused(command: string, message: RegExp, config?: string): Promise<void> {
  const { code, out, err } = await sluice(command, config);
  assert.equal(code, 1, out + err);
  assert.match(err, message);
}

const configMap = (name: string, resource: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { watched: resource } },
  data: { a: "1" },
});

/** Waits until the API server enforces what was configured: it sees that a moment later. */
async function enforced(object: KubeObject): Promise<void> {
  const placed = { ...object, metadata: { ...object.metadata, namespace } };
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await cluster.apply(placed, { dryRun: true, manager: "probe" });
    } catch (error) {
      if (isApiFault(error)) return;
      throw error;
    }
    await sleep(clock, 100);
  }
  assert.fail("the API server never enforced it");
}

const isThere = async (kind: string, name: string, home = namespace) =>
  (await cluster.find({ group: "", version: "v1", kind, namespace: home, name })) !== undefined;

const match = { objectSelector: { matchLabels: { watched: "webhook" } }, namespaceSelector: selector };
const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] };
const webhook = (failurePolicy: string, annotations = {}): KubeObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: namespace, annotations },
  webhooks: [
    {
      name: "check.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      timeoutSeconds: 1,
      failurePolicy,
      ...match,
      rules: [rule],
      clientConfig: { service: { namespace, name: "nobody" } },
    },
  ],
});
const policy = (value: string, annotations = {}): KubeObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: namespace, annotations },
  spec: {
    matchConstraints: {
      namespaceSelector: selector,
      objectSelector: { matchLabels: { watched: "policy" } },
      resourceRules: [rule],
    },
    validations: [{ expression: `object.data.a == '${value}'`, message: `it must be ${value}` }],
  },
});
const policyBinding: KubeObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: namespace },
  spec: { policyName: namespace, validationActions: ["Deny"] },
};
const pod = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: strict },
  spec: { containers: [{ name: "c", image: "example.com/app:1" }] },
});

const rbac = "rbac.authorization.k8s.io";
const role = (name: string, ...rules: readonly [group: string, ...resources: readonly string[]][]): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: "Role",
  metadata: { name, namespace },
  rules: rules.map(([group, ...resources]) => ({ apiGroups: [group], resources, verbs: ["*"] })),
});
const bindingOf = (name: string, user: string): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: "RoleBinding",
  metadata: { name, namespace },
  roleRef: { apiGroup: rbac, kind: "Role", name },
  subjects: [{ kind: "User", apiGroup: rbac, name: user }],
});

describe("what admission refuses until an earlier step of the plan changes it", () => {
  test("a webhook that fails", async () => {
    await cluster.create(webhook("Fail"));
    const map = configMap("hooked", "webhook");
    await enforced(map);
    await refused(
      `deploy alone ${source("hooked.yaml", configMap("other", "nobody"), map)}`,
      /configmap\/hooked: .*failed calling webhook/,
    );
    assert.equal(await isThere("ConfigMap", "other"), false);
    await refused(
      `deploy late ${source("late.yaml", map, webhook("Ignore"))}`,
      /validatingwebhookconfiguration\/\S+ comes later and may cure it/,
    );
    const both = source("both.yaml", map, webhook("Ignore", first));
    const { out } = await good(`plan hooked ${both} --no-diff`);
    assert.match(out, /create configmap\/hooked .*will be checked after validatingwebhookconfiguration\//);
    const { err } = await good(`deploy hooked ${both}`);
    assert.match(err, /^configmap\/hooked will be checked after validatingwebhookconfiguration\//m);
    assert.equal(await isThere("ConfigMap", "hooked"), true);
  });

  test("an admission policy", async () => {
    await cluster.create(policy("2"));
    await cluster.create(policyBinding);
    const map = configMap("ruled", "policy");
    await enforced(map);
    await refused(`deploy alone ${source("ruled.yaml", configMap("other", "nobody"), map)}`, /configmap\/ruled: .*it must be 2/);
    assert.equal(await isThere("ConfigMap", "other"), false);
    await good(`deploy ruled ${source("policy.yaml", map, policy("1", first))}`);
    assert.equal(await isThere("ConfigMap", "ruled"), true);
  });

  test("the Pod Security level of a namespace", async () => {
    await refused(`deploy alone ${source("pod.yaml", configMap("other", "nobody"), pod("p"))}`, /pod\/p: .*violates PodSecurity/);
    assert.equal(await isThere("ConfigMap", "other"), false);
    const lowered = namespaceOf(strict, { "pod-security.kubernetes.io/enforce": "privileged" });
    await good(`deploy lowered ${source("lowered.yaml", pod("p"), lowered)}`);
    assert.equal(await isThere("Pod", "p", strict), true);
  });

  test("rights that the deploy grants to whoever deploys", async () => {
    await cluster.create(role("deployer", ["", "secrets"], ["coordination.k8s.io", "leases"], [rbac, "roles", "rolebindings"]));
    await cluster.create(bindingOf("deployer", "jane"));
    const jane = impersonating("jane", kubeconfig, folder);
    const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "granted", annotations: { "werf.io/weight": "1" } } };
    const maps = role("maps", ["", "configmaps"]);
    const others = source("others.yaml", map, maps, bindingOf("maps", "june"));
    await refused(`deploy granted ${others}`, /configmap\/granted: .*User "jane" cannot get/, jane);
    assert.equal(await cluster.find({ group: rbac, version: "v1", kind: "Role", namespace, name: "maps" }), undefined);
    const { err } = await good(`deploy granted ${source("own.yaml", map, maps, bindingOf("maps", "jane"))}`, jane);
    assert.match(err, /configmap\/granted will be checked after role\/maps, rolebinding\/maps/);
    assert.equal(await isThere("ConfigMap", "granted"), true);
  });
});
