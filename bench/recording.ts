import { fileURLToPath } from "node:url";
import { VirtualClock } from "../src/core/clock/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { connect } from "../src/kube/index.ts";
import { readManifests } from "../src/lang/yaml/index.ts";
import { deploy } from "../src/release/deploy/index.ts";
import { reportAtMost, reportNote } from "./report.ts";

const workloads = 200;
const rounds = 15;
const signal = new AbortController().signal;

/**
 * What recording costs a deploy of 200 Deployments in ten ranks on an embedded cluster in virtual time: CPU, the cluster's
 * with it, with a recording and without, in turns.
 */
export async function benchRecording(): Promise<void> {
  const { manifests } = readManifests(Array.from({ length: workloads }, (_, at) => deploymentText(at)).join("---\n"), "bench.yaml");
  const run = async (recorded: boolean): Promise<number> => {
    const clock = new VirtualClock();
    const { exchange, stop } = startEmbeddedCluster({ clock });
    const cluster = connect(exchange, { clock });
    const recording = recorded ? { recording: { onWarning: fail } } : {};
    const before = process.cpuUsage();
    const work = async () => {
      let status: string | undefined;
      const release = { name: "web", namespace: "default" };
      for await (const event of deploy({ release, manifests }, cluster, { signal, identity: "bench", ...recording }))
        if (event.type === "done") status = event.status;
      if (status !== "deployed") throw new Error(`it is ${status}`);
    };
    await clock.until(work());
    const { user, system } = process.cpuUsage(before);
    stop();
    return (user + system) / 1000;
  };
  for (const recorded of [true, false, true, false]) await run(recorded);
  const [bare, recorded]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(await run(false));
    recorded.push(await run(true));
  }
  const [without, withIt] = [medianOf(bare), medianOf(recorded)];
  reportAtMost(`a deploy of ${workloads} workloads: CPU of its recording`, (withIt / without - 1) * 100, 2, " %");
  reportNote("CPU with a recording, and without", `${withIt.toFixed(0)} ms and ${without.toFixed(0)} ms`);
}

function deploymentText(at: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web-${at}, annotations: {werf.io/weight: "${at % 10}"}}
spec: {selector: {matchLabels: {a: web-${at}}}, template: {metadata: {labels: {a: web-${at}}}, spec: {containers: [{name: c, image: web}]}}}
`;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function fail(warning: string): never {
  throw new Error(warning);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRecording();
