import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { stringAt } from "../../src/core/object/index.ts";
import { serveHttp } from "../support/loopback.ts";
import { brokenCharts, storefrontChart } from "./chart/storefront.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess, runProgram, projectRoot, runSluiceProcess, type ProgramResult } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-charts-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const helmProgram = await buildHelm(() => {});

before(async () => {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  writeChart("storefront", storefrontChart);
  for (const [what, files] of Object.entries(brokenCharts))
    writeChart(what, { "Chart.yaml": "apiVersion: v2\nname: broken\nversion: 0.1.0\n", "templates/ok.yaml": "", ...files });
  writeFileSync(join(folder, "more.yaml"), "replicas: 5\nmemory: {size: 128}\ngone: {}\n---\nlabels: {tier: null}\n");
});
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  await cluster.delete({
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    namespace: "",
    name: "windows.shop.example.com",
  });
  close();
  rmSync(folder, { recursive: true, force: true });
});

function writeChart(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
}

/** Both programs work in the test's folder. */
function helmTemplate(name: string, ...args: readonly string[]): Promise<ProgramResult> {
  return runHelmProcess(helmProgram, folder, ["template", name, ...args]);
}

function render(chart: string, ...args: readonly string[]): Promise<ProgramResult> {
  return runProgram(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), "render", chart, ...args], {
    cwd: folder,
    env: { HELM_CACHE_HOME: folder },
  });
}

describe("a chart is rendered as Helm renders it", () => {
  const variants: readonly (readonly string[])[] = [
    [],
    ["-f", "more.yaml"],
    ["--set", "port=9090,labels.tier=back,list={a,b},image.tag=1.0", "--set-string", "replicas=7"],
    ["--set-json", 'memory={"size":null}', "--set-literal", "text=a,b=c"],
    ["--set", "disk.enabled=true,memory.enabled=false,disk.size=3"],
    ["--set", "tags.slow=false"],
    ["--set-file", "text=more.yaml"],
    ["--include-crds"],
    ["--no-hooks"],
    ["--skip-tests"],
    ["--show-only", "templates/loops.yaml"],
    ["-s", "charts/memory/templates/*.yaml", "-s", "templates/hooks.yaml"],
    ["--is-upgrade", "--kube-version", "1.31.4-vendor.2", "--api-versions", "shop.example.com/v1"],
    ["-n", "elsewhere"],
  ];
  for (const variant of variants)
    test(variant.join(" ") || "with its own values", async () => {
      const theirs = await helmTemplate("shop", "storefront", ...variant);
      assert.equal(theirs.code, 0, theirs.err);
      const ours = await render("storefront", "--release", "shop", ...variant);
      // Helm logs which hooks it skips, and Sluice warns of as many objects.
      const skipped = theirs.err.match(/^level=INFO msg="skipping unknown hooks" hookTypes=sometime$/gm) ?? [];
      assert.ok(skipped.length > 0, theirs.err);
      assert.match(
        ours.err,
        new RegExp(`^(warning: .*/hooks\\.yaml: .*: helm\\.sh/hook is "sometime"; .* left out, as by Helm\n){${skipped.length}}$`),
      );
      // Byte for byte, except for names of flags that differ from Helm's.
      assert.equal(ours.out, theirs.out);
    });

  test("packed", async () => {
    const { code, err } = await runHelmProcess(helmProgram, folder, ["package", "storefront"]);
    assert.equal(code, 0, err);
    const archive = "storefront-1.4.0+build.7.tgz";
    assert.equal((await render(archive)).out, (await helmTemplate("release-name", archive)).out);
  });

  for (const what of Object.keys(brokenCharts))
    test(`what is wrong is said as Helm says it: ${what}`, async () => {
      const theirs = await helmTemplate("shop", what);
      const ours = await render(what, "--release", "shop");
      assert.equal(ours.code, 1);
      assert.equal(messageOf(ours.err), messageOf(theirs.err));
    });
});

describe("schemas are fetched as Helm fetches them", () => {
  const documents: Readonly<Record<string, string>> = {
    "/main.json": '{"properties": {"a": {"$ref": "defs.json#/definitions/small"}}}',
    "/defs.json": '{"definitions": {"small": {"type": "integer", "maximum": 5}}}',
    "/based.json": '{"$id": "/sub/based.json", "$ref": "other.json"}',
    "/sub/other.json": '{"properties": {"a": {"type": "string"}}}',
    "/invalid.json": '{"type": "nonsense"}',
    "/empty.json": "",
    "/draft.json": '{"$schema": "draft-of-draft.json"}',
    "/pointer.json": '{"$ref": "defs.json#/definitions/none"}',
    "/file.json": '{"$ref": "file:///none.json"}',
    "/scheme.json": '{"$ref": "ftp://127.0.0.1/none.json"}',
  };
  const paths = [...Object.keys(documents), "/redirect", "/none", "/x/../main.json"];
  for (const path of paths)
    for (const value of ["1", "9"])
      test(`${path}, with ${value}`, async (t) => {
        const { url } = await serveHttp(t, (request, response) => {
          const text = documents[request.url ?? ""];
          if (request.url === "/redirect") response.writeHead(302, { location: "/main.json" }).end();
          else response.writeHead(text === undefined ? 404 : 200).end(text);
        });
        writeChart("remote", {
          "Chart.yaml": "apiVersion: v2\nname: remote\nversion: 0.1.0\n",
          "values.schema.json": JSON.stringify({ $ref: `${url}${path}` }),
          "templates/a.yaml": "a: {{ .Values.a }}\n",
        });
        const theirs = await helmTemplate("shop", "remote", "--set", `a=${value}`);
        const ours = await render("remote", "--release", "shop", "--set", `a=${value}`);
        assert.equal(ours.code, theirs.code);
        assert.equal(ours.out, theirs.out);
        assert.equal(messageOf(ours.err), messageOf(theirs.err));
      });
});

/** The message without the prefix of each program. */
function messageOf(said: string): string {
  const [, message = said] = /^(?:E|e)rror: ([^]*)$/m.exec(said) ?? [];
  return message.replace("\n\nUse --debug flag to render out invalid YAML", "").trimEnd();
}

async function helm(command: string): Promise<string> {
  const { code, out, err } = await runHelmProcess(helmProgram, folder, [
    ...command.split(" "),
    "--kubeconfig",
    kubeconfig,
    "-n",
    namespace,
  ]);
  assert.equal(code, 0, `helm ${command}: ${err}`);
  return out;
}

async function sluice(command: string): Promise<string> {
  const { code, out, err } = await runSluiceProcess(kubeconfig, [...command.split(" "), "-n", namespace], { cwd: folder });
  assert.equal(code, 0, `sluice ${command}: ${out}${err}`);
  return out;
}

async function sizeOf(release: string): Promise<string | undefined> {
  const name = `${release}-memory`;
  return stringAt(await cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace, name }), "data.size");
}

async function recorded(release: string): Promise<{ readonly values: unknown; readonly manifest: string; readonly notes: string }> {
  const values: unknown = JSON.parse(await helm(`get values ${release} -o json`));
  return { values, manifest: await helm(`get manifest ${release}`), notes: await helm(`get notes ${release}`) };
}

describe("Helm and Sluice take turns on a release of a chart", () => {
  test("what Helm installed Sluice upgrades, Helm rolls back, and Sluice deletes", async () => {
    await helm("install theirs storefront --set memory.size=2");
    const output = await sluice("deploy theirs storefront --set memory.size=3");
    assert.match(output, /deployed: theirs in .*, revision 2\n\nNOTES:\ntheirs is open in zone north\.$/m);
    assert.equal(await sizeOf("theirs"), "3");
    const { values, notes } = await recorded("theirs");
    assert.deepEqual(values, { memory: { size: 3 } });
    assert.match(notes, /theirs is open in zone north\./);
    await helm("rollback theirs 1");
    assert.equal(await sizeOf("theirs"), "2");
    await sluice("deploy theirs storefront --reuse-values --set port=1");
    assert.deepEqual((await recorded("theirs")).values, { memory: { size: 2 }, port: 1 });
    await sluice("rollback theirs 2");
    assert.equal(await sizeOf("theirs"), "3");
    await sluice("delete theirs");
    assert.equal(await sizeOf("theirs"), undefined);
    assert.doesNotMatch(await helm("list"), /theirs/);
  });

  test("what Sluice deployed Helm upgrades, Sluice rolls back, and Helm uninstalls", async () => {
    await sluice("deploy ours storefront --set memory.size=2");
    assert.match(await helm("get all ours"), /MANIFEST:\n---\n# Source: storefront\//);
    assert.match(await helm("list"), /^ours\s.*storefront-1\.4\.0\+build\.7\s+2024\.1/m);
    await helm("upgrade ours storefront --reuse-values --set port=1");
    assert.equal(await sizeOf("ours"), "2");
    assert.deepEqual((await recorded("ours")).values, { memory: { size: 2 }, port: 1 });
    await sluice("rollback ours");
    assert.deepEqual((await recorded("ours")).values, { memory: { size: 2 } });
    await helm("upgrade ours storefront");
    assert.equal(await sizeOf("ours"), "2");
    await helm("uninstall ours");
    assert.equal(await sizeOf("ours"), undefined);
  });

  test("both record the same of the same chart", async () => {
    await helm("install one storefront --set memory.size=4");
    const theirs = await recorded("one");
    await helm("uninstall one");
    await sluice("deploy one storefront --set memory.size=4");
    const ours = await recorded("one");
    assert.deepEqual(ours, theirs);
    await sluice("delete one");
  });
});
