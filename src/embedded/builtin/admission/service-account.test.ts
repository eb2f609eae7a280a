import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt, listAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import { AdmissionFixture, admissionResult, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

const place = "/var/run/secrets/kubernetes.io/serviceaccount";
const enforced = { "kubernetes.io/enforce-mountable-secrets": "true" };

const cluster = new AdmissionFixture({
  serviceaccounts: [
    { metadata: { name: "default" } },
    { metadata: { name: "puller" }, imagePullSecrets: [{ name: "registry" }] },
    { metadata: { name: "quiet" }, automountServiceAccountToken: false },
    { metadata: { name: "strict", annotations: enforced }, secrets: [{ name: "mine" }], imagePullSecrets: [{ name: "registry" }] },
  ],
});

function pod(spec: object = {}): PartialObject {
  return { spec: { containers: [{ name: "c", image: "i" }], ...spec } };
}

/** `account; volumes; mounts of each container; pull secrets` */
function accountTextOf({ spec }: KubeObject): string {
  const mounts = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].map((container) => {
    const names = listAt(container, "volumeMounts").map((mount) => stringAt(mount, "name"));
    return `${stringAt(container, "name")}(${names.join(" ")})`;
  });
  const volumes = listAt(spec, "volumes").map((volume) => stringAt(volume, "name"));
  const secrets = listAt(spec, "imagePullSecrets").map((secret) => stringAt(secret, "name"));
  return [stringAt(spec, "serviceAccountName"), volumes.join(" "), mounts.join(" "), secrets.join(" ")].join("; ");
}

const token = "kube-api-access-xxxxx";
const own = { name: "c", volumeMounts: [{ name: "own", mountPath: place }] };
const written: Record<string, [spec: object, expected: string]> = {
  "no account means default": [{}, `default; ${token}; c(${token}); `],
  "every container gets the token": [
    { initContainers: [{ name: "i" }], containers: [{ name: "c" }, { name: "d" }] },
    `default; ${token}; i(${token}) c(${token}) d(${token}); `,
  ],
  "a mount of one's own in that place stays": [{ containers: [own, { name: "d" }] }, `default; ${token}; c(own) d(${token}); `],
  "no volume when no container mounts it": [{ containers: [own] }, "default; ; c(own); "],
  "a token volume that is there is used": [
    { volumes: [{ name: "kube-api-access-mine" }] },
    "default; kube-api-access-mine; c(kube-api-access-mine); ",
  ],
  "not wanted by the pod": [{ automountServiceAccountToken: false }, "default; ; c(); "],
  "not wanted by the account": [{ serviceAccountName: "quiet" }, "quiet; ; c(); "],
  "the pod's wish wins": [{ serviceAccountName: "quiet", automountServiceAccountToken: true }, `quiet; ${token}; c(${token}); `],
  "pull secrets of the account": [{ serviceAccountName: "puller" }, `puller; ${token}; c(${token}); registry`],
  "pull secrets of one's own": [
    { serviceAccountName: "puller", imagePullSecrets: [{ name: "mine" }] },
    `puller; ${token}; c(${token}); mine`,
  ],
  "the old name of the field": [{ serviceAccount: "quiet" }, "quiet; ; c(); "],
};

for (const [name, [spec, expected]] of Object.entries(written)) {
  test(name, () => assert.equal(accountTextOf(cluster.create("pods", pod(spec))), expected));
}

test("the token's volume is projected from the three sources of a credential", () => {
  const volume = listAt(cluster.create("pods", pod()), "spec.volumes")[0];
  assert.equal(valueAt(volume, "projected.defaultMode"), 420);
  assert.deepEqual(listAt(volume, "projected.sources")[0], { serviceAccountToken: { expirationSeconds: 3607, path: "token" } });
  assert.deepEqual(
    listAt(volume, "projected.sources").map((source) => Object.keys(source)[0]),
    ["serviceAccountToken", "configMap", "downwardAPI"],
  );
});

test("the account of a new namespace is not waited for", () => {
  assert.equal(stringAt(new AdmissionFixture().create("pods", pod()), "spec.serviceAccountName"), "default");
});

test("both names of the field are written", () => {
  const spec = fieldsAt(cluster.create("pods", pod()), "spec");
  assert.deepEqual([spec["serviceAccountName"], spec["serviceAccount"]], ["default", "default"]);
});

const strict = { serviceAccountName: "strict" };
const notReferenced = "is not allowed because service account strict does not reference that";
const refused: Record<string, [spec: object, expected: string]> = {
  "an account that is not there": [
    { serviceAccountName: "missing" },
    'error looking up service account default/missing: serviceaccount "missing" not found',
  ],
  "a volume of a secret that is not mountable": [
    { ...strict, volumes: [{ name: "v", secret: { secretName: "theirs" } }] },
    `volume with secret.secretName="theirs" ${notReferenced} secret`,
  ],
  "a variable from one": [
    { ...strict, containers: [{ name: "c", env: [{ name: "E", valueFrom: { secretKeyRef: { name: "theirs", key: "k" } } }] }] },
    `container c with envVar E referencing secret.secretName="theirs" ${notReferenced} secret`,
  ],
  "all variables from one, while starting": [
    { ...strict, initContainers: [{ name: "i", envFrom: [{ secretRef: { name: "theirs" } }] }] },
    `init container i with envFrom referencing secret.secretName="theirs" ${notReferenced} secret`,
  ],
  "a pull secret that the account does not have": [
    { ...strict, imagePullSecrets: [{ name: "registry" }, { name: "theirs" }] },
    `imagePullSecrets[1].name="theirs" ${notReferenced} imagePullSecret`,
  ],
};

for (const [name, [spec, expected]] of Object.entries(refused)) {
  test(`rejected: ${name}`, () => {
    assert.equal(
      admissionResult(() => cluster.create("pods", pod(spec))),
      `403 pods "a" is forbidden: ${expected}`,
    );
  });
}

test("secrets that the account references are accepted", () => {
  const volumes = [{ name: "v", secret: { secretName: "mine" } }];
  assert.equal(
    admissionResult(() => cluster.create("pods", pod({ ...strict, volumes }))),
    "let in",
  );
});

function mirrorRefusal(why: string): string {
  return `403 pods "a" is forbidden: a mirror pod may not ${why}`;
}

test("a mirror pod has no service account, and may not ask for one", () => {
  const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
  const tried = (spec: object) => admissionResult(() => void new AdmissionFixture().create("pods", { metadata, spec }));
  assert.equal(tried({}), "let in");
  assert.equal(tried({ serviceAccountName: "x" }), mirrorRefusal("reference service accounts"));
  assert.equal(tried({ volumes: [{ name: "s", secret: { secretName: "x" } }] }), mirrorRefusal("reference secrets"));
  assert.equal(
    tried({ volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] }),
    mirrorRefusal("use ServiceAccountToken volume projections"),
  );
});
