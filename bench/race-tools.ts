import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCluster } from "../src/kube/index.ts";
import { numberAt, type KubeObject } from "../src/core/object/index.ts";
import { deployByRank } from "./deploy-by-rank.ts";
import { measureProgram, type ProcessCost } from "./process.ts";
import { noAnnotations, kappAnnotations, raceRanks, werfAnnotations, type OrderAnnotations } from "./race-manifests.ts";

const sluice = join(import.meta.dirname, "..", "dist", "sluice.js");

/** The runs of a tool in a namespace. */
export type ToolRuns = {
  readonly deploy: () => Promise<ProcessCost>;
  /** Deploys again, when nothing has changed. */
  readonly again?: () => Promise<ProcessCost>;
  readonly delete?: () => Promise<ProcessCost>;
};

export type RaceTool = {
  readonly name: string;
  /** So slow that one round has to be enough. */
  readonly once: boolean;
  readonly runsIn: (namespace: string) => ToolRuns;
};

type ToolPaths = {
  readonly kapp: string;
  readonly helm: string;
  readonly kubeconfig: string;
  /** Where manifests are written. */
  readonly folder: string;
};

export function raceTools(paths: ToolPaths): readonly RaceTool[] {
  const { kubeconfig, folder } = paths;
  const where = (namespace: string) => ["--kubeconfig", kubeconfig, "-n", namespace];
  return [
    { name: "limit", once: false, runsIn: (namespace) => ({ deploy: () => bare(namespace, kubeconfig) }) },
    {
      name: "sluice",
      once: false,
      runsIn: (namespace) => {
        const source = written(folder, namespace, werfAnnotations);
        const run = (...args: readonly string[]) => measureProgram(process.execPath, [sluice, ...args, ...where(namespace)]);
        const deploy = () => run("deploy", "race", source);
        return { deploy, again: deploy, delete: () => run("delete", "race") };
      },
    },
    {
      name: "kapp",
      once: false,
      runsIn: (namespace) => {
        const source = written(folder, namespace, kappAnnotations);
        const run = (...args: readonly string[]) => measureProgram(paths.kapp, [...args, "-a", "race", "-y", ...where(namespace)]);
        const deploy = () => run("deploy", "-f", source);
        return { deploy, again: deploy, delete: () => run("delete") };
      },
    },
    {
      name: "helm",
      once: true,
      runsIn: (namespace) => {
        const chart = chartOf(folder, namespace);
        const home = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
        return { deploy: () => measureProgram(paths.helm, ["upgrade", "--install", "race", chart, "--wait", ...where(namespace)], home) };
      },
    },
  ];
}

/** Runs in this process: starting one is not part of the limit. */
async function bare(namespace: string, kubeconfig: string): Promise<ProcessCost> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const { cluster, close } = await openCluster({ kubeconfig, namespace });
  try {
    await deployByRank(raceRanks(namespace, noAnnotations), cluster, isReady);
  } finally {
    close();
  }
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

/** Models when a rollout of the Deployment controller is complete. */
function isReady(object: KubeObject): boolean {
  if (object.kind !== "Deployment") return true;
  const wanted = numberAt(object, "spec.replicas", 1);
  if (numberAt(object, "status.observedGeneration", 0) < numberAt(object, "metadata.generation", 0)) return false;
  return ["replicas", "updatedReplicas", "availableReplicas"].every((count) => numberAt(object, `status.${count}`, 0) === wanted);
}

function written(folder: string, namespace: string, annotationsOf: OrderAnnotations): string {
  const file = join(folder, `${namespace}.yaml`);
  writeFileSync(file, documents(namespace, annotationsOf));
  return file;
}

function documents(namespace: string, annotationsOf: OrderAnnotations): string {
  const objects = raceRanks(namespace, annotationsOf).flat();
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}

function chartOf(folder: string, namespace: string): string {
  const chart = join(folder, `${namespace}-chart`);
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: race\nversion: 1.0.0\n");
  writeFileSync(join(chart, "templates", "all.yaml"), documents(namespace, noAnnotations));
  return chart;
}
