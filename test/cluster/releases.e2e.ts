import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { historyOf } from "../../src/release/record/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { writeLimitedKubeconfig } from "./limited-kubeconfig.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess, runSluiceProcess, type ProgramOptions } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
/** Set where the test kubelet runs. */
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";
const folder = makeTemporaryFolder();
const namespace = `e2e-releases-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const history = historyOf(cluster);
const helmProgram = await buildHelm(() => {});
const kind = (name: string, group = "", version = "v1") => ({ group, version, kind: name });

before(() => cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }));
after(async () => {
  await cluster.delete({ ...kind("Namespace"), namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

const sluice = (command: string, options?: ProgramOptions, config = kubeconfig) =>
  runSluiceProcess(config, [...command.split(" "), "-n", namespace], options);

async function good(command: string, config?: string): Promise<string> {
  const { code, out, err } = await sluice(command, undefined, config);
  assert.equal(code, 0, `sluice ${command}: ${out}${err}`);
  return out;
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

function source(name: string, ...objects: readonly KubeObject[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => `---\n${writeYaml(object)}`).join(""));
  return path;
}

const configMap = (name: string, value: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, annotations },
  data: { value },
});
const job = (name: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, annotations },
  spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "nginx" }] } } },
});

async function valueOf(name: string): Promise<string | undefined> {
  return stringAt(await cluster.find({ ...kind("ConfigMap"), namespace, name }), "data.value");
}

async function dataOf(name: string): Promise<unknown> {
  return (await cluster.get({ ...kind("ConfigMap"), namespace, name }))["data"];
}

/** A ConfigMap's field managers, and how they write. */
async function ownersOf(name: string): Promise<readonly string[]> {
  const { managedFields = [] } = (await cluster.get({ ...kind("ConfigMap"), namespace, name })).metadata;
  return managedFields.map(({ manager, operation }) => `${manager} ${operation}`);
}

async function states(name: string): Promise<readonly string[]> {
  return (await history.revisions({ name, namespace })).map(({ revision, state }) => `${revision} ${state}`);
}

describe("Helm and Sluice take turns on one release", () => {
  test("Helm reads, rolls back and uninstalls what Sluice deployed", async () => {
    await good(`deploy ours ${source("ours.yaml", configMap("ours", "1"), configMap("extra", "1"))}`);
    await good(`deploy ours ${source("ours.yaml", configMap("ours", "2"))}`);
    assert.match(await helm("list"), /^ours\s.*\s2\s.*deployed/m);
    assert.match(await helm("history ours"), /^1\s.*superseded.*Install complete[^]*^2\s.*deployed.*Upgrade complete/m);
    assert.match(await helm("get manifest ours"), /^# Source: .*ours\.yaml\n[^]*value: "2"/m);
    await helm("rollback ours 1");
    assert.deepEqual([await valueOf("ours"), await valueOf("extra")], ["1", "1"]);
    await good(`deploy ours ${source("ours.yaml", configMap("ours", "3"))}`);
    assert.deepEqual([await valueOf("ours"), await valueOf("extra")], ["3", undefined]);
    assert.deepEqual(await states("ours"), ["1 superseded", "2 superseded", "3 superseded", "4 deployed"]);
    await helm("uninstall ours");
    assert.equal(await valueOf("ours"), undefined);
    assert.deepEqual(await states("ours"), []);
  });

  test("Sluice reads, rolls back and deletes what Helm installed", async () => {
    const chart = join(folder, "tiny");
    mkdirSync(join(chart, "templates"), { recursive: true });
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: tiny\nversion: 1.2.3\n");
    const template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs}\ndata: {value: {{ .Values.value | quote }}}\n";
    writeFileSync(join(chart, "templates", "cm.yaml"), template);
    await helm("install theirs tiny --set value=1");
    await helm("upgrade theirs tiny --set value=2");
    await good("rollback theirs");
    assert.equal(await valueOf("theirs"), "1");
    assert.match(await helm("history theirs"), /^3\s.*deployed\s.*tiny-1\.2\.3.*Rollback to 1/m);
    await helm("upgrade theirs tiny --set value=4");
    await good("delete theirs");
    assert.equal(await valueOf("theirs"), undefined);
    assert.doesNotMatch(await helm("list"), /theirs/);
  });
});

describe("a release that Helm made without server-side apply", () => {
  const chart = join(folder, "keyed");
  /** Writes the chart with this data in its ConfigMap. */
  function writeChart(data: Readonly<Record<string, string>>): void {
    mkdirSync(join(chart, "templates"), { recursive: true });
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: keyed\nversion: 1.0.0\n");
    const keyed = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "keyed" }, data };
    const same = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "same" }, data: { value: data["same"] ?? "1" } };
    writeFileSync(join(chart, "templates", "cm.yaml"), [keyed, same].map((object) => writeYaml(object)).join("---\n"));
  }

  for (const mode of ["true", "false", "auto"]) {
    test(`is taken over, and Helm goes on with --server-side=${mode}`, async () => {
      writeChart({ a: "1", left: "1" });
      await helm("install keyed keyed --server-side=false");
      writeChart({ a: "2" });
      assert.match(await good(`plan keyed ${chart}`), /left/);
      await good(`deploy keyed ${chart}`);
      assert.deepEqual(await dataOf("keyed"), { a: "2" });
      assert.deepEqual([await ownersOf("keyed"), await ownersOf("same")], [["helm Apply"], ["helm Apply"]]);
      writeChart({ a: "3", b: "3", same: "3" });
      await helm(`upgrade keyed keyed --server-side=${mode}`);
      assert.deepEqual(await dataOf("keyed"), { a: "3", b: "3", same: "3" });
      writeChart({ a: "4", same: "4" });
      await good(`deploy keyed ${chart}`);
      assert.deepEqual(await dataOf("keyed"), { a: "4", same: "4" });
      assert.deepEqual([await ownersOf("keyed"), await ownersOf("same")], [["helm Apply"], ["helm Apply"]]);
      await helm("rollback keyed 1");
      assert.deepEqual(await dataOf("keyed"), { a: "1", left: "1" });
      await good("delete keyed");
    });
  }
});

describe("who may do little", () => {
  const limited = join(folder, "limited.kubeconfig");
  const rules = [
    { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["*"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["*"] },
  ];

  before(() => writeLimitedKubeconfig(cluster, kubeconfig, { namespace, name: "limited", rules }, limited));

  test("deploys what it may, in a namespace that it cannot look at", async () => {
    await good(`deploy small ${source("small.yaml", configMap("small", "1"))}`, limited);
    assert.equal(await valueOf("small"), "1");
    await good("delete small", limited);
  });

  test("learns before anything is touched what it may not", async () => {
    const both = source("both.yaml", configMap("first", "1"), job("second", { "werf.io/weight": "1" }));
    const { code, err } = await sluice(`deploy small ${both}`, undefined, limited);
    assert.equal(code, 1);
    assert.match(err, /job\/second: .*jobs\.batch .*forbidden.*limited/s);
    assert.equal(await valueOf("first"), undefined);
    assert.deepEqual(await states("small"), []);
  });
});

test(
  "killed after any step, the same command again ends in the same, and no hook that succeeded runs twice",
  { skip: hasKubelet ? false : "the test kubelet does not run here" },
  async () => {
    const path = source(
      "app.yaml",
      job("migrate", { "helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "before-hook-creation" }),
      configMap("one", "1"),
      configMap("two", "2", { "werf.io/weight": "1" }),
      job("notify", { "helm.sh/hook": "post-install", "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded" }),
    );
    const whole = await sluice(`deploy whole ${path} -o ndjson`);
    assert.equal(whole.code, 0, whole.err);
    const steps = finishedIn(whole.out).length;
    assert.ok(steps > 8, `${steps} steps`);
    await good("delete whole");
    for (let last = 1; last <= steps; last++) {
      let finished = 0;
      const killed = await sluice(`deploy app ${path} -o ndjson`, {
        onLine: (line, kill) => {
          if (eventOf(line).type === "finished" && ++finished === last) kill();
        },
      });
      const again = await sluice(`deploy app ${path} -o ndjson`);
      assert.equal(again.code, 0, `after step ${last}: ${again.err}`);
      assert.deepEqual(await states("app"), ["1 deployed"], `after step ${last}`);
      const repeated = hooksRecordedIn(killed.out).filter((hook) => appliedIn(again.out).includes(hook));
      assert.deepEqual(repeated, [], `run twice, killed after step ${last}`);
      assert.deepEqual([await valueOf("one"), await valueOf("two")], ["1", "2"]);
      assert.equal((await cluster.find({ ...kind("Job", "batch"), namespace, name: "notify" })) === undefined, true);
      await good("delete app");
      await cluster.delete({ ...kind("Job", "batch"), namespace, name: "migrate" }, { propagation: "background" });
    }
  },
);

type Event = {
  readonly type: string;
  readonly verb?: string;
  readonly id?: string;
  readonly ref?: { readonly kind: string; readonly name: string };
};

function eventOf(line: string): Event {
  return JSON.parse(line) as Event;
}

function finishedIn(out: string): readonly Event[] {
  const lines = out.split("\n").filter((line) => line.endsWith("}"));
  return lines.map(eventOf).filter(({ type }) => type === "finished");
}

/** The hooks that a run has recorded as succeeded. */
function hooksRecordedIn(out: string): readonly string[] {
  return finishedIn(out).flatMap(({ verb, id = "" }) =>
    verb === "record" && id.includes("Job") ? [id.slice(id.lastIndexOf("/") + 1)] : [],
  );
}

function appliedIn(out: string): readonly string[] {
  return finishedIn(out).flatMap(({ verb, ref }) => (verb === "apply" && ref !== undefined ? [ref.name] : []));
}
