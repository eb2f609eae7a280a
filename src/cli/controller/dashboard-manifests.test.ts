import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt, stringsAt, valueAt, listAt, type KubeObject } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { run } from "../program.ts";
import { plainPaint } from "../../view/index.ts";
import { renderInstallManifests } from "./install-manifests.ts";

const ours = "sluice-dashboard";

function objectsWith(dashboard: Readonly<Record<string, unknown>>): readonly KubeObject[] {
  const text = renderInstallManifests({ namespace: "sluice", values: { dashboard }, includeCrd: () => false });
  const { manifests, problems } = readManifests(text, "chart");
  assert.deepEqual(problems, []);
  return manifests.map(({ object }) => object).filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/component"] === "dashboard");
}

const kindsOf = (objects: readonly KubeObject[]) => objects.map(({ kind }) => kind).toSorted();
const podOf = (objects: readonly KubeObject[]) =>
  valueAt(
    objects.find(({ kind }) => kind === "Deployment"),
    "spec.template.spec",
  );

test("one value installs the dashboard, which has no rights and no token", () => {
  assert.deepEqual(objectsWith({}), []);
  const objects = objectsWith({ enabled: true });
  assert.deepEqual(kindsOf(objects), ["Deployment", "Service", "ServiceAccount"]);
  const pod = podOf(objects);
  assert.equal(valueAt(pod, "automountServiceAccountToken"), false);
  assert.equal(stringAt(pod, "serviceAccountName"), ours);
  const everything = readManifests(
    renderInstallManifests({ namespace: "sluice", values: { dashboard: { enabled: true } }, includeCrd: () => false }),
    "chart",
  );
  const bound = everything.manifests.flatMap(({ object }) => listAt(object, "subjects").map((subject) => stringAt(subject, "name", "")));
  assert.ok(bound.length > 0 && !bound.includes(ours));
});

test("it is not root, and writes nowhere but into /tmp", () => {
  const pod = podOf(objectsWith({ enabled: true, tlsSecret: "page-tls" }));
  assert.equal(valueAt(pod, "securityContext.runAsNonRoot"), true);
  const [container] = listAt(pod, "containers");
  assert.equal(valueAt(container, "securityContext.readOnlyRootFilesystem"), true);
  assert.equal(valueAt(container, "securityContext.allowPrivilegeEscalation"), false);
  const writable = listAt(container, "volumeMounts").filter((mount) => valueAt(mount, "readOnly") !== true);
  assert.deepEqual(
    writable.map((mount) => stringAt(mount, "mountPath")),
    ["/tmp"],
  );
});

test("with a Secret it serves TLS, to probes and the Service too", () => {
  const objects = objectsWith({ enabled: true, tlsSecret: "page-tls" });
  const pod = podOf(objects);
  const [container] = listAt(pod, "containers");
  assert.equal(stringAt(container, "livenessProbe.httpGet.scheme"), "HTTPS");
  assert.match(stringsAt(container, "args").join(" "), /--tls-cert \/etc\/sluice\/tls\/tls.crt --tls-key \/etc\/sluice\/tls\/tls.key$/);
  const secrets = listAt(pod, "volumes").flatMap((volume) => stringAt(volume, "secret.secretName") ?? []);
  assert.deepEqual(secrets, ["page-tls"]);
  const [port] = listAt(
    objects.find(({ kind }) => kind === "Service"),
    "spec.ports",
  );
  assert.deepEqual(port, { name: "https", port: 443, targetPort: "page" });
});

test("an ingress leads to it by its host, which it answers to", () => {
  const ingress = { enabled: true, className: "nginx", annotations: { a: "b" }, tlsSecret: "cert" };
  const objects = objectsWith({ enabled: true, host: "sluice.example", ingress });
  const found = objects.find(({ kind }) => kind === "Ingress");
  assert.deepEqual(valueAt(found, "spec"), {
    ingressClassName: "nginx",
    tls: [{ hosts: ["sluice.example"], secretName: "cert" }],
    rules: [
      {
        host: "sluice.example",
        http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: ours, port: { name: "http" } } } }] },
      },
    ],
  });
  const [container] = listAt(podOf(objects), "containers");
  assert.match(
    stringsAt(container, "args").join(" "),
    /--hosts sluice-dashboard,sluice-dashboard.sluice,sluice-dashboard.sluice.svc,sluice.example /,
  );
  assert.throws(() => objectsWith({ enabled: true, ingress }), /dashboard.ingress needs dashboard.host/);
  assert.throws(() => objectsWith({ enabled: true, host: "a b" }), /host/);
});

test("its command takes the arguments of the container", async () => {
  const [container] = listAt(podOf(objectsWith({ enabled: true, tlsSecret: "page-tls" })), "containers");
  const errors: string[] = [];
  const code = await run([...stringsAt(container, "args")], { out: () => undefined, err: (line) => errors.push(line), paint: plainPaint });
  assert.equal(code, 1);
  assert.match(errors.join("\n"), /read the certificate \/etc\/sluice\/tls\/tls.crt/);
});
