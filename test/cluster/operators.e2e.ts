import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, globSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { freePorts } from "./control-plane-process.ts";
import { buildOperator, certManager, operatorSource, prometheusOperator } from "./operator-binaries.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { projectRoot, runHelmProcess, runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { buildHelm } from "./toolchain.ts";

// Real operators, built from their Go modules, on the embedded cluster: they know no difference.

const kubectl = process.env[environmentVariables.kubectl] ?? "";
const folder = makeTemporaryFolder();
const kubeconfig = join(folder, "kubeconfig");
const processes: ChildProcess[] = [];
const clock = new RealClock();
const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs a program until the tests are over. Its output is in `NAME.log`. */
function start(name: string, command: string, args: readonly string[]): ChildProcess {
  const file = openSync(join(folder, `${name}.log`), "w");
  const env = { ...process.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: "cert-manager" };
  const child = spawn(command, [...args], { env, stdio: ["ignore", name === "cluster" ? "pipe" : file, file] });
  processes.push(child);
  return child;
}

async function run(args: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const { code, out, err } = await runProgram(kubectl, ["kubectl", ...args.split(" ")], { env: { KUBECONFIG: kubeconfig, HOME: folder } });
  return { code, text: `${out}${err}`.trim() };
}

async function succeed(args: string): Promise<string> {
  const { code, text } = await run(args);
  assert.equal(code, 0, `kubectl ${args}: ${text}\n${logs()}`);
  return text;
}

/** The webhook may be trusted a moment before it has made its certificate. */
async function succeedWithWebhook(args: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { code, text } = await run(args);
    if (code === 0) return;
    assert.match(text, /failed calling webhook/, logs());
    await sleep(clock, 1000);
  }
  await succeed(args);
}

function logs(): string {
  return globSync("*.log", { cwd: folder })
    .map((name) => `${name}:\n${readFileSync(join(folder, name), "utf8").split("\n").slice(-15).join("\n")}`)
    .join("\n");
}

function manifest(name: string, ...objects: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join("\n---\n"));
  return path;
}

const issuers = "cert-manager.io/v1";
const certificate = (name: string, spec: object) => ({
  apiVersion: issuers,
  kind: "Certificate",
  metadata: { name },
  spec: { secretName: `${name}-tls`, ...spec },
});

async function secretCertificate(name: string): Promise<X509Certificate> {
  const text = await succeed(`get secret ${name} -o jsonpath={.data.tls\\.crt}`);
  return new X509Certificate(Buffer.from(text, "base64"));
}

describe("real operators on the embedded cluster", () => {
  before(async () => {
    const main = join(projectRoot, "src", "cli", "main.ts");
    const cluster = start("cluster", process.execPath, [main, "cluster", "--kubeconfig", kubeconfig, "--speed", "5"]);
    await once(createInterface({ input: cluster.stdout! }), "line");
  });
  after(async () => {
    for (const child of processes.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test("cert-manager installs, and its cainjector lets the server trust its webhook", async () => {
    const source = await operatorSource(certManager);
    const crds = globSync("deploy/crds/crd-*.yaml", { cwd: source }).map((name) => readFileSync(join(source, name), "utf8"));
    // They are templates of the chart in a few lines, and plain otherwise.
    writeFileSync(
      join(folder, "crds.yaml"),
      crds
        .map((text) =>
          text
            .split("\n")
            .filter((line) => !line.includes("{{"))
            .join("\n"),
        )
        .join("\n---\n"),
    );
    await succeed(`apply --server-side -f ${join(folder, "crds.yaml")}`);
    const chart = join(folder, "chart");
    mkdirSync(chart);
    for (const part of ["templates", "values.yaml"])
      cpSync(join(source, "deploy", "charts", "cert-manager", part), join(chart, part), { recursive: true });
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: cert-manager\nversion: 1.11.5\nappVersion: v1.11.5\n");
    const flags = ["-n", "cert-manager", "--create-namespace", "--set", "startupapicheck.enabled=false"];
    const { code, err } = await runHelmProcess(await buildHelm(log), folder, ["install", "cert-manager", chart, ...flags], {
      KUBECONFIG: kubeconfig,
    });
    assert.equal(code, 0, err);
    const [secure, health, metrics] = await freePorts(3);
    await succeed(`annotate service -n cert-manager cert-manager-webhook sim.sluice.dev/address=127.0.0.1:${secure}`);
    const names = ["cert-manager-webhook", "cert-manager-webhook.cert-manager", "cert-manager-webhook.cert-manager.svc"];
    start("webhook", await buildOperator(certManager, "webhook", log), [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${secure}`,
      `--healthz-port=${health}`,
      "--dynamic-serving-ca-secret-namespace=cert-manager",
      "--dynamic-serving-ca-secret-name=cert-manager-webhook-ca",
      `--dynamic-serving-dns-names=${names.join(",")}`,
    ]);
    start("cainjector", await buildOperator(certManager, "cainjector", log), [`--kubeconfig=${kubeconfig}`]);
    start("controller", await buildOperator(certManager, "controller", log), [
      `--kubeconfig=${kubeconfig}`,
      "--cluster-resource-namespace=cert-manager",
      `--metrics-listen-address=127.0.0.1:${metrics}`,
    ]);
    for (const type of ["validating", "mutating"])
      await succeed(
        `wait ${type}webhookconfiguration/cert-manager-webhook --for=jsonpath={.webhooks[0].clientConfig.caBundle} --timeout=180s`,
      );
  });

  test("a self-signed authority signs a certificate, each in its Secret", async () => {
    const authority = certificate("ca", { isCA: true, commonName: "my-ca", issuerRef: { name: "selfsigned" } });
    const leaf = certificate("leaf", { dnsNames: ["a.example.com"], issuerRef: { name: "ca" } });
    const path = manifest(
      "issuers.yaml",
      { apiVersion: issuers, kind: "Issuer", metadata: { name: "selfsigned" }, spec: { selfSigned: {} } },
      authority,
      { apiVersion: issuers, kind: "Issuer", metadata: { name: "ca" }, spec: { ca: { secretName: "ca-tls" } } },
      leaf,
    );
    await succeedWithWebhook(`apply -f ${path}`);
    await succeed("wait certificate/ca certificate/leaf --for=condition=Ready --timeout=180s");
    const [signer, signed] = [await secretCertificate("ca-tls"), await secretCertificate("leaf-tls")];
    assert.equal(signer.subject, "CN=my-ca");
    assert.ok(signed.verify(signer.publicKey));
    assert.equal(signed.subjectAltName, "DNS:a.example.com");
  });

  test("the webhook refuses a bad Certificate and fills in a CertificateRequest's user", async () => {
    const { code, text } = await run(`apply -f ${manifest("bad.yaml", certificate("bad", { issuerRef: { name: "ca" } }))}`);
    assert.equal(code, 1);
    assert.match(
      text,
      /admission webhook "webhook\.cert-manager\.io" denied the request: spec: Invalid value: "": at least one of commonName/,
    );
    assert.equal(await succeed("get certificaterequests -o jsonpath={.items[0].spec.username}"), "admin");
  });

  test("prometheus-operator makes a StatefulSet and a Secret of a Prometheus", async () => {
    const source = await operatorSource(prometheusOperator);
    await succeed(`apply --server-side -f ${join(source, "example", "prometheus-operator-crd")}`);
    const [port] = await freePorts(1);
    const flags = [`--web.listen-address=127.0.0.1:${port}`, "--kubelet-endpoints=false"];
    start("prometheus-operator", await buildOperator(prometheusOperator, "operator", log), flags);
    const spec = { replicas: 2, serviceAccountName: "default", serviceMonitorSelector: {} };
    await succeed(
      `apply -f ${manifest("prometheus.yaml", { apiVersion: "monitoring.coreos.com/v1", kind: "Prometheus", metadata: { name: "main" }, spec })}`,
    );
    await succeed("wait prometheus/main --for=condition=Available --timeout=180s");
    assert.equal(await succeed("get statefulset prometheus-main -o jsonpath={.status.readyReplicas}"), "2");
    assert.match(await succeed("get secret prometheus-main -o jsonpath={.data}"), /prometheus\.yaml\.gz/);
  });
});
