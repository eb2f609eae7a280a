import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { runBareClient, type BareTask } from "./bare-client.ts";
import { measureProgram, type ProcessCost } from "./process.ts";
import {
  noAnnotations,
  kappAnnotations,
  kotsAnnotations,
  raceRanks,
  werfAnnotations,
  type OrderAnnotations,
  type RaceSize,
} from "./race-manifests.ts";

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
  /** Knows deletion phases. */
  readonly phases: boolean;
  readonly runsIn: (namespace: string, size: RaceSize) => ToolRuns;
};

type ToolPaths = {
  /** The bundle of the bare client. */
  readonly bareClient: string;
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
      phases: true,
      runsIn: (namespace, size) => {
        const run = (task: BareTask["task"]) => measureHere(() => runBareClient({ task, kubeconfig, namespace, size }));
        return { deploy: () => run("deploy"), delete: () => run("delete") };
      },
    },
    {
      name: "limit-process",
      once: false,
      phases: true,
      runsIn: (namespace, size) => {
        const run = (task: BareTask["task"]) =>
          measureProgram(process.execPath, [paths.bareClient, JSON.stringify({ task, kubeconfig, namespace, size } satisfies BareTask)]);
        return { deploy: () => run("deploy"), delete: () => run("delete") };
      },
    },
    {
      name: "sluice",
      once: false,
      phases: true,
      runsIn: (namespace, size) => {
        const source = written(folder, namespace, size.phased === true ? kotsAnnotations : werfAnnotations, size);
        const run = (...args: readonly string[]) => measureProgram(process.execPath, [sluice, ...args, ...where(namespace)]);
        const deploy = () => run("deploy", "race", source);
        return { deploy, again: deploy, delete: () => run("delete", "race") };
      },
    },
    {
      name: "kapp",
      once: false,
      phases: false,
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
      phases: false,
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

/** Measures what runs in this process, which is warm: neither a start nor the loading of a program is part of it. */
async function measureHere(run: () => Promise<void>): Promise<ProcessCost> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

/** Bundles the bare client as Sluice is bundled, so that both start as fast as they can. */
export async function bundleBareClient(folder: string): Promise<string> {
  const outfile = join(folder, "bare-client.mjs");
  const entry = join(import.meta.dirname, "bare-process.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", target: "node24", minify: true });
  return outfile;
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
