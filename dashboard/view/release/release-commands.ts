import type { ContainerLog, ObjectName } from "../../../src/dashboard/api/index.ts";
import { shellWord } from "../../component/shell-word.ts";

/** Where commands are to look. `context` is empty where the visitor's kubeconfig knows the cluster by another name. */
type CommandTarget = { readonly context: string; readonly namespace: string };

/** Commands about a release, and about the time of one revision of it. */
export function releaseCommands(name: string, revision: number, target: CommandTarget): readonly string[] {
  return [
    commandLine(["sluice", "why", name], target),
    commandLine(["sluice", "status", name], target),
    commandLine(["sluice", "timeline", name, String(revision)], target),
    commandLine(["sluice", "history", name], target),
  ];
}

/** Commands about what has changed between two revisions. */
export function comparisonCommands(name: string, before: number, after: number, target: CommandTarget): readonly string[] {
  return [
    commandLine(["sluice", "diff", "revision", name, String(before), String(after)], target),
    commandLine(["sluice", "timeline", name, String(after), "--compare", String(before)], target),
  ];
}

/** Commands about one object of a release. */
export function objectCommands(
  release: string,
  { group, kind, namespace, name }: ObjectName,
  logs: readonly ContainerLog[],
  target: CommandTarget,
): readonly string[] {
  const there = { ...target, namespace };
  const resource = `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
  return [
    commandLine(["sluice", "why", release, `${kind.toLowerCase()}/${name}`], target),
    commandLine(["kubectl", "describe", resource], there),
    // The values of a Secret are not to be printed by accident.
    ...(kind === "Secret" ? [] : [commandLine(["kubectl", "get", resource, "-o", "yaml"], there)]),
    ...logs.map(({ pod, container }) => commandLine(["kubectl", "logs", pod, "-c", container, "--tail=100"], there)),
  ];
}

function commandLine(words: readonly string[], { context, namespace }: CommandTarget): string {
  const place = [...(namespace === "" ? [] : ["-n", namespace]), ...(context === "" ? [] : ["--context", context])];
  return [...words, ...place].map(shellWord).join(" ");
}
