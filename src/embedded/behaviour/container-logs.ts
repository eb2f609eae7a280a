import type { KubeObject } from "../../core/object/index.ts";
import type { Behaviour } from "./behaviour.ts";
import { containerRuleOf } from "./effective-rule.ts";
import { isSidecar, timeMs, asPod, type Pod } from "./pod.ts";

export type LogRequest = {
  readonly container: string;
  /** The run before this one. Default: this one. */
  readonly previous?: boolean;
  /** Begin each line with its time. Default: no. */
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
};

/** The log of a container up to now, or undefined when that run has not started. */
export function containerLogsOf(object: KubeObject, options: LogRequest, behaviour: Behaviour, now: number): string | undefined {
  const since = sinceOf(options, now);
  const lines = linesOf(object, options, behaviour)?.filter(({ at }) => at <= now && at >= since);
  if (lines === undefined) return undefined;
  const tail = options.tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - options.tailLines));
  const text = tail.map(({ at, line }) => `${options.timestamps === true ? `${stamp(at)} ` : ""}${line}\n`).join("");
  return options.limitBytes === undefined ? text : text.slice(0, options.limitBytes);
}

/** When a container prints its next line, as far as it is known; undefined when it prints no more. */
export function nextLineAt(object: KubeObject, container: string, behaviour: Behaviour, now: number): number | undefined {
  return linesOf(object, { container }, behaviour)?.find(({ at }) => at > now)?.at;
}

type Line = { readonly at: number; readonly line: string };

/** All lines that a container prints in the requested run, future ones included. */
function linesOf(object: KubeObject, { container: name, previous = false }: LogRequest, behaviour: Behaviour): readonly Line[] | undefined {
  const pod = asPod(object);
  const { initContainers = [], containers } = pod.spec;
  const inInit = initContainers.find((item) => item.name === name);
  const container = inInit ?? containers.find((item) => item.name === name);
  const run = runOf(pod, name, previous);
  if (container === undefined || run === undefined) return undefined;
  const role = inInit === undefined ? "main" : isSidecar(inInit) ? "sidecar" : "init";
  return (containerRuleOf(pod, container, role, behaviour).logs ?? [])
    .map(({ after, line }) => ({ at: run.from + after, line }))
    .filter(({ at }) => at <= run.until);
}

function runOf(pod: Pod, name: string, previous: boolean): { from: number; until: number } | undefined {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const status = statuses.find((item) => item.name === name);
  const { running, terminated, waiting } = status?.state ?? {};
  const ended = previous || waiting !== undefined ? status?.lastState.terminated : terminated;
  const from = timeMs(ended?.startedAt ?? (previous ? undefined : running?.startedAt));
  return from === undefined ? undefined : { from, until: endOf(ended?.finishedAt) };
}

/** Times in a status are truncated to the second, so a container may have printed until the end of that second. */
function endOf(finishedAt: string | null | undefined): number {
  const at = timeMs(finishedAt);
  return at === undefined ? Infinity : at + 999;
}

function sinceOf({ sinceSeconds, sinceTime }: LogRequest, now: number): number {
  if (sinceSeconds !== undefined) return now - sinceSeconds * 1000;
  return timeMs(sinceTime) ?? -Infinity;
}

/** Nanoseconds as the kubelet writes them. */
function stamp(at: number): string {
  return new Date(at).toISOString().replace(/Z$/, "000000Z");
}
