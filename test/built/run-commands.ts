import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCluster } from "../../src/kube/index.ts";
import type { ProcessResult } from "./run-process.ts";

const root = join(import.meta.dirname, "..", "..");

/** Runs one command of a program. */
export type Run = (args: readonly string[]) => Promise<ProcessResult>;

/** What commands said, by what they were to show, without what differs from run to run. */
type Outcomes = Readonly<Record<string, string>>;

/** How pods turn out in clusters that releases are played in. */
export const behaviour = `
- match: {image: "*broken*"}
  ready: never
`;

/** Two versions of an app, of which the second never starts. */
const web = (image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "${image}"}]}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {image: "${image}"}
`;

/** Plays commands that need nothing but themselves, all at the same time. */
export async function runStandalone(run: Run, folder: string): Promise<Outcomes> {
  const example = (name: string) => join(root, "examples", name);
  const manifest = join(folder, "web.yaml");
  writeFileSync(manifest, web("example.com/web:1"));
  const commands = {
    help: ["--help"],
    "help of a command": ["deploy", "--help"],
    "a command that there is not": ["deplo"],
    render: ["render", join(root, "tools", "build", "warm-up"), "--set", "replicas=3"],
    "render nothing": ["render", join(folder, "nowhere")],
    lint: ["lint", example("werf/weights")],
    "plan for an embedded cluster": ["plan", "hello", example("hello"), "--embedded"],
    "deploy to an embedded cluster": ["deploy", "web", manifest, "--embedded"],
    completion: ["completion", "bash"],
  };
  const ran = Object.entries(commands).map(async ([name, args]) => [name, outcomeOf(await run(args))] as const);
  return Object.fromEntries(await Promise.all(ran)) as Outcomes;
}

/** Plays a release from its plan to its rollback, and asks a client what it finds. */
export async function runReleases(
  run: Run,
  folder: string,
  { kubeconfig, context }: { kubeconfig: string; context: string },
): Promise<Outcomes> {
  const [one, two] = [join(folder, "one.yaml"), join(folder, "two.yaml")];
  writeFileSync(one, web("example.com/web:1"));
  writeFileSync(two, web("example.com/broken:2"));
  const at = async (...args: readonly string[]) => outcomeOf(await run([...args, "--kubeconfig", kubeconfig, "--context", context]));
  const plan = await at("plan", "shop", one);
  const deploy = await at("deploy", "shop", one);
  // Long enough for a busy machine to see what becomes of the pod: the message says it.
  const failing = await at("deploy", "shop", two, "--timeout", "5s");
  const [why, history, found] = await Promise.all([at("why", "shop"), at("history", "shop"), foundBy(kubeconfig, context)]);
  const rollback = await at("rollback", "shop", "1");
  return { plan, deploy, "deploy what does not start": failing, why, history, "a client": found, rollback, list: await at("list") };
}

/** What a client of the cluster finds there. */
async function foundBy(kubeconfig: string, context: string): Promise<string> {
  const { cluster, close } = await openCluster({ kubeconfig, context });
  try {
    const found = await cluster.list({ group: "", version: "v1", kind: "ConfigMap" }, { namespace: "default" });
    return found.items.map(({ metadata }) => metadata.name).join(" ");
  } finally {
    close();
  }
}

/** Lines of progress come in any order and number. */
const passing = /^(applying|applied|ready|unchanged) /;

/** The time of day and the time since the start, before each line of a log. */
const logTime = /^\d\d:\d\d:\d\dZ +\S+ +/;

function outcomeOf({ code, out, err }: ProcessResult): string {
  const [progress, rest] = [lines(out).filter((line) => passing.test(line)), lines(out).filter((line) => !passing.test(line))];
  return [...progress.toSorted(), ...rest, ...lines(err), `exit code ${code}`].map(withoutChance).join("\n");
}

/** What a run waited for in between differs from run to run, and so does the line that says what was applied. */
function lines(text: string): readonly string[] {
  const all = text.trimEnd().split("\n");
  const untimed = all.map((line) => line.replace(logTime, ""));
  return untimed.filter((line) => !line.startsWith("waiting ")).map((line) => line.replace(/^(ready .*): (created|updated)$/, "$1"));
}

/** Times, places and names that chance makes differ from run to run. */
function withoutChance(line: string): string {
  return line
    .replaceAll(/\b\d+(\.\d+)?\s?m?s\b/g, "0s")
    .replaceAll(/\b(web-[a-z0-9]+)-[a-z0-9]{5}\b/g, "$1-pod")
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, "then")
    .replaceAll(/\/\S*\/(kubeconfig|nowhere|[a-z]+\.yaml)\b/g, "$1")
    .replaceAll(/\bsluice-\d\b/g, "the context");
}
