/** The chart, installed by Helm and by Sluice, and the image that it names, run as a kubelet runs it, with the rights that it gives. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt } from "../../src/core/object/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { readYaml } from "../../src/lang/yaml/index.ts";
import { runProcess, startService, type SluiceCommand } from "../built/run-process.ts";
import { runHelmProcess, runProgram } from "../cluster/run-program.ts";
import { buildHelm } from "../cluster/toolchain.ts";
import { runSluice } from "../support/command-line.ts";
import { tagOf } from "../../tools/package/oci-archive.ts";
import { runInImage, kubeconfigFor, profile } from "./run-in-image.ts";
import { environment, packages } from "./packages.ts";
import { readTarGz } from "./read-tar-gz.ts";
import { testFolders, unpack } from "./test-folders.ts";
import { unpackImage } from "./unpack-image.ts";

const { chart, executable, version } = packages();
const { make } = testFolders();
const kubeconfig = process.env[environment.kubeconfig] ?? "";
const kubectl = process.env[environment.kubectl] ?? "";
const namespace = "projectsveltos";
const own: SluiceCommand = { command: [join(make("x64"), `sluice-${version}-linux-x64`, "sluice")], env: { HOME: make("home") } };
const root = join(make("image"), "root");
const { cluster, close } = await openCluster({ kubeconfig });
const helmProgram = await buildHelm(() => {});
const helm = (...args: readonly string[]) => runHelmProcess(helmProgram, make("helm"), [...args, "--kubeconfig", kubeconfig]);

before(async () => {
  await unpack(executable("x64"), make("x64"));
  await unpackImage(root, "amd64");
});
after(close);

/** What the Deployment of the controller runs. */
async function deployedImage(): Promise<string> {
  const deployment = await cluster.get({ group: "apps", version: "v1", kind: "Deployment", namespace, name: "sluice-controller" });
  return stringAt(listAt(deployment, "spec.template.spec.containers")[0], "image", "");
}

test("the chart, the image and the program are of one version, and define the same kinds", async () => {
  const files = new Map(readTarGz(chart).map(({ name, data }) => [name, Buffer.from(data).toString()]));
  const { version: chartVersion, appVersion } = readYaml(files.get("sluice/Chart.yaml") ?? "", "Chart.yaml") as Record<string, string>;
  assert.deepEqual([chartVersion, appVersion], [version, version]);
  const definitions = [...files].filter(([name]) => name.startsWith("sluice/crds/")).map(([name, text]) => [name.split("/")[2], text]);
  const ours = globSync("deploy/crds/*.yaml")
    .toSorted()
    .map((file) => [file.split("/")[2], readFileSync(file, "utf8")]);
  assert.deepEqual(definitions.toSorted(), ours);
  const manifests = (await runProcess(own, ["controller", "manifests"])).out;
  assert.match(manifests, new RegExp(`image: "sluice:${tagOf(version)}"`));
  for (const [, text = ""] of ours) assert.ok(manifests.includes(/^ {2}name: (.+)$/m.exec(text)?.[1] ?? "?"));
});

describe("the chart", () => {
  test("is installed and removed by Helm", async () => {
    const flags = ["--namespace", namespace, "--create-namespace", "--wait", "--timeout", "2m"];
    const installed = await helm("install", "sluice", chart, ...flags);
    assert.equal(installed.code, 0, installed.err);
    assert.equal(await deployedImage(), `sluice:${tagOf(version)}`);
    const removed = await helm("uninstall", "sluice", "--namespace", namespace, "--wait");
    assert.equal(removed.code, 0, removed.err);
  });

  test("is installed by Sluice", async () => {
    const { code, out, err } = await runProcess(own, [
      "deploy",
      "sluice",
      chart,
      "-n",
      namespace,
      "--kubeconfig",
      kubeconfig,
      "--timeout",
      "2m",
    ]);
    assert.equal(code, 0, out + err);
    assert.equal(await deployedImage(), `sluice:${tagOf(version)}`);
  });
});

describe("the image", () => {
  test("has the program, what it links to, and no shell", () => {
    assert.deepEqual(globSync(["bin/*", "sbin/*", "usr/bin/*", "usr/sbin/*", "usr/local/bin/*"], { cwd: root }), ["usr/local/bin/sluice"]);
    for (const file of ["etc/ssl/certs/ca-certificates.crt", "etc/passwd", "etc/os-release", "usr/share/doc/libc6/copyright"])
      assert.ok(existsSync(join(root, file)), file);
    const writable = globSync("**", { cwd: root }).filter(
      (file) => file !== "tmp" && existsSync(join(root, file)) && (statSync(join(root, file)).mode & 0o022) !== 0,
    );
    assert.deepEqual(writable, []);
  });

  test("runs the controller, as nobody and with nothing to write to, with the rights of the chart", async () => {
    const token = await runProgram(kubectl, [
      "kubectl",
      "--kubeconfig",
      kubeconfig,
      "create",
      "token",
      "sluice-controller",
      "-n",
      namespace,
    ]);
    assert.equal(token.code, 0, token.err);
    const credentials = make("credentials");
    writeFileSync(join(credentials, "kubeconfig"), kubeconfigFor(kubeconfig, token.out.trim()), { mode: 0o644 });
    const flags = ["controller", "--kubeconfig", "/tmp/kubeconfig", "--metrics-address", "127.0.0.1:0", "--namespace", namespace];
    const service = await startService(runInImage(root, join(credentials, "kubeconfig")), flags, /"listens"/);
    try {
      const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
      assert.match(status, /^Uid:\t65532\t65532\t65532\t65532$/m);
      assert.match(status, /^CapEff:\t0+$/m);
      assert.match(readFileSync(`/proc/${service.pid}/mountinfo`, "utf8"), / \/ ro,/);
      const registering = ["register", "cluster", "self", "--kubeconfig", kubeconfig, "--labels", "env=fv", "-n", "mgmt"];
      const registered = await runSluice(...registering, "--management-kubeconfig", kubeconfig);
      assert.equal(registered.code, 0, registered.err);
      const manifest = join(credentials, "profile.yaml");
      writeFileSync(manifest, profile);
      assert.equal((await runSluice("apply", manifest, "--no-wait", "--kubeconfig", kubeconfig)).code, 0);
      const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "from-the-image" };
      const waited = ["wait", "--for=create", "configmap/from-the-image", "--timeout=60s", "-n", "default"];
      const { code, err } = await runProgram(kubectl, ["kubectl", "--kubeconfig", kubeconfig, ...waited]);
      assert.equal(code, 0, err);
      assert.equal(stringAt(await cluster.get(ref), "data.by"), "sluice");
    } finally {
      assert.equal(await service.end(), 0);
    }
  });
});
