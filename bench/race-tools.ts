import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCluster, type Cluster } from "../src/kube/index.ts";
import { numberAt, type KubeObject } from "../src/core/object/index.ts";
import { deleteByRank } from "./delete-by-rank.ts";
import { deployByRank } from "./deploy-by-rank.ts";
import { measureProgram, type ProcessCost } from "./process.ts";
import { noAnnotations, kappAnnotations, raceRanks, werfAnnotations, type OrderAnnotations, type RaceSize } from "./race-manifests.ts";

const sluice = join(import.meta.dirname, "..", "dist", "sluice.js");

/** The runs of a tool in a namespace. */
export type ToolRuns = {
  readonly deploy: () => Promise<ProcessCost>;
  /** Deploys again, when nothing has changed. */
  readonly again?: () => Promise<ProcessCost>;
  /** Deletes, and waits until pods are gone too. */
  readonly delete: () => Promise<ProcessCost>;
};

export type RaceTool = {
  readonly name: string;
  /** So slow that one round of 200 objects has to be enough. */
  readonly once: boolean;
  readonly runsIn: (namespace: string, size: RaceSize) => ToolRuns;
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
    {
      name: "limit",
      once: false,
      runsIn: (namespace, size) => {
        const ranks = raceRanks(namespace, noAnnotations, size);
        return {
          deploy: () => bare(namespace, kubeconfig, (cluster) => deployByRank(ranks, cluster, isReady)),
          delete: () => bare(namespace, kubeconfig, (cluster) => deleteByRank(ranks, cluster)),
        };
      },
    },
    {
      name: "sluice",
      once: false,
      runsIn: (namespace, size) => {
        const source = written(folder, namespace, werfAnnotations, size);
        const run = (...args: readonly string[]) => measureProgram(process.execPath, [sluice, ...args, ...where(namespace)]);
        const deploy = () => run("deploy", "race", source);
        return { deploy, again: deploy, delete: () => run("delete", "race") };
      },
    },
    {
      name: "kapp",
      once: false,
      runsIn: (namespace, size) => {
        const source = written(folder, namespace, kappAnnotations, size);
        const run = (...args: readonly string[]) => measureProgram(paths.kapp, [...args, "-a", "race", "-y", ...where(namespace)]);
        const deploy = () => run("deploy", "-f", source);
        return { deploy, again: deploy, delete: () => run("delete") };
      },
    },
    {
      name: "helm",
      once: true,
      runsIn: (namespace, size) => {
        const chart = chartOf(folder, namespace, size);
        const home = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
        const run = (...args: readonly string[]) => measureProgram(paths.helm, [...args, "--wait", ...where(namespace)], home);
        // In the background Helm does not wait for pods.
        return {
          deploy: () => run("upgrade", "--install", "race", chart),
          delete: () => run("uninstall", "race", "--cascade", "foreground"),
        };
      },
    },
  ];
}

/** Runs in this process: starting one is not part of the limit. */
async function bare(namespace: string, kubeconfig: string, run: (cluster: Cluster) => Promise<void>): Promise<ProcessCost> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const { cluster, close } = await openCluster({ kubeconfig, namespace });
  try {
    await run(cluster);
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

function written(folder: string, namespace: string, annotationsOf: OrderAnnotations, size: RaceSize): string {
  const file = join(folder, `${namespace}.yaml`);
  writeFileSync(file, documents(namespace, annotationsOf, size));
  return file;
}

function documents(namespace: string, annotationsOf: OrderAnnotations, size: RaceSize): string {
  const objects = raceRanks(namespace, annotationsOf, size).flat();
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}

function chartOf(folder: string, namespace: string, size: RaceSize): string {
  const chart = join(folder, `${namespace}-chart`);
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: race\nversion: 1.0.0\n");
  writeFileSync(join(chart, "templates", "all.yaml"), documents(namespace, noAnnotations, size));
  return chart;
}
