import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { writeLimitedKubeconfig } from "./limited-kubeconfig.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { runSluiceProcess, type ProgramOptions } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";
const folder = makeTemporaryFolder();
const namespace = `e2e-logs-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const limits = { timeout: 120_000, skip: hasKubelet ? false : "the test kubelet does not run here" };

before(() => cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }));
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

const sluice = (command: string, options?: ProgramOptions, config = kubeconfig) =>
  runSluiceProcess(config, [...command.split(" "), "-n", namespace], options);

function source(name: string, ...objects: readonly KubeObject[]): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, objects.map((object) => `---\n${writeYaml(object)}`).join(""));
  return path;
}

/** The image is known to no rule, so that the container does what its command says. */
const job = (name: string, script: string, spec: object = {}, annotations: Record<string, string> = {}): KubeObject => {
  const containers = [{ name: "main", image: "shell:1", command: ["sh", "-c", script] }];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, annotations },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 1, containers } }, ...spec },
  };
};

/** What was printed of an object, without times and pods. */
const linesOf = (out: string, title: string) =>
  out.split("\n").flatMap((line) => (line.includes(`log      ${title} in ${namespace}, `) ? [line.replace(/^.*\/(\w+): /, "$1: ")] : []));

describe("logs", { concurrency: true }, () => {
  test("each line of a hook that is deleted, and of each try of a Job, is printed once", limits, async () => {
    const hook = { "helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "hook-succeeded" };
    const many = Array.from({ length: 50 }, (_, n) => `echo line ${n}`).join("; ");
    const path = source(
      "all",
      job("hook", `${many}; sleep 1; ${many}`, {}, hook),
      job("again", "echo trying; exit 3", { backoffLimit: 1 }),
    );
    const { code, out, err } = await sluice(`deploy all ${path}`);
    assert.equal(code, 1, err);
    const half = Array.from({ length: 50 }, (_, n) => `main: line ${n}`);
    assert.deepEqual(linesOf(out, "job/hook"), [...half, ...half]);
    assert.deepEqual(linesOf(out, "job/again"), ["main: trying", "main: trying"]);
    assert.match(err, /last lines of again-\S+, container main:\n {6}trying/);
  });

  test("an interruption ends a deploy that follows a log at once", limits, async () => {
    let interruptedAt = 0;
    const { code, out } = await sluice(`deploy long ${source("long", job("long", "echo begin; sleep 100; echo end"))}`, {
      onLine(line, kill) {
        if (!line.endsWith("main: begin")) return;
        interruptedAt = performance.now();
        kill("SIGINT");
      },
    });
    assert.ok(performance.now() - interruptedAt < 5_000, "it took too long");
    assert.equal(code, 130);
    assert.deepEqual(linesOf(out, "job/long"), ["main: begin"]);
  });

  test("who may not read logs is told so once, and deploys all the same", limits, async () => {
    const config = join(folder, "logless.kubeconfig");
    const rules = [
      { apiGroups: ["batch", "coordination.k8s.io"], resources: ["*"], verbs: ["*"] },
      { apiGroups: [""], resources: ["pods", "secrets", "events"], verbs: ["*"] },
    ];
    await writeLimitedKubeconfig(cluster, kubeconfig, { namespace, name: "logless", rules }, config);
    const path = source("logless", job("first", "echo one", {}, { "helm.sh/hook": "pre-install" }), job("second", "echo two"));
    const { code, out, err } = await sluice(`deploy logless ${path}`, {}, config);
    assert.equal(code, 0, err);
    const notes = out.split("\n").filter((line) => line.includes("forbidden"));
    assert.equal(notes.length, 1, out);
    assert.match(notes[0]!, /cannot get resource "pods\/log".*: no logs of namespace \S+ are shown, and the rest goes on$/);
  });
});
