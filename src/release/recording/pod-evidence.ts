import { findCondition, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { parseDuration } from "../order/index.ts";
import type { RecordedContainer, RecordedPod } from "./recording.ts";

/** How many pods of one workload are kept: those that took longest. */
const maxPodsPerWorkload = 3;
/** Times in a status have whole seconds, and the clock of the cluster may be another. */
const clockSkewMs = 5_000;

/** What the pods that were created since then tell about their start. `events` are those of the reason `Pulled`. */
export function recordedPodsOf(pods: readonly KubeObject[], events: readonly KubeObject[], sinceMs: number): readonly RecordedPod[] {
  const pulls = pullTimesIn(events);
  const recent = pods.filter(({ metadata }) => (timeOf(metadata.creationTimestamp) ?? 0) >= sinceMs - clockSkewMs);
  const recorded = recent.map((pod) => recordedPodOf(pod, pulls));
  const byOwner = Map.groupBy(recorded, ({ namespace, owner }) => `${namespace}/${owner.kind}/${owner.name}`);
  return [...byOwner.values()].flatMap((group) => [...slowestOf(group), ...firstUnpulled(group)]);
}

function slowestOf(pods: readonly RecordedPod[]): readonly RecordedPod[] {
  const pulled = pods.filter((pod) => !isUnpulled(pod));
  return pulled.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxPodsPerWorkload);
}

/** One is enough to know that an image cannot be pulled. */
function firstUnpulled(pods: readonly RecordedPod[]): readonly RecordedPod[] {
  return pods.filter(isUnpulled).slice(0, 1);
}

function isUnpulled({ containers }: RecordedPod): boolean {
  return containers.some(({ pullError }) => pullError !== undefined);
}

function recordedPodOf(pod: KubeObject, pulls: ReadonlyMap<string, number>): RecordedPod {
  const { name, namespace = "", uid = "", creationTimestamp } = pod.metadata;
  const containers = (statuses: string, specs: string) =>
    listAt(pod, `status.${statuses}`).map((status) =>
      containerOf(status, pulls.get(`${uid} spec.${specs}{${stringAt(status, "name", "")}}`)),
    );
  return {
    name,
    namespace,
    owner: ownerOf(pod),
    createdAtMs: timeOf(creationTimestamp) ?? 0,
    ...present("scheduledAtMs", conditionTime(pod, "PodScheduled")),
    ...present("readyAtMs", conditionTime(pod, "Ready")),
    containers: [
      ...containers("initContainerStatuses", "initContainers").map((each) => ({ ...each, init: true as const })),
      ...containers("containerStatuses", "containers"),
    ],
  };
}

function containerOf(status: Fields, pullMs: number | undefined): RecordedContainer {
  const [ended] = ["state.terminated", "lastState.terminated"].filter((path) => stringAt(status, `${path}.finishedAt`) !== undefined);
  const startedAt =
    stringAt(status, "state.running.startedAt") ?? (ended === undefined ? undefined : stringAt(status, `${ended}.startedAt`));
  return {
    name: stringAt(status, "name", ""),
    image: stringAt(status, "image", ""),
    ...present("pullMs", pullMs),
    ...pullErrorOf(status),
    ...present("startedAtMs", timeOf(startedAt)),
    ...(ended === undefined ? {} : present("finishedAtMs", timeOf(stringAt(status, `${ended}.finishedAt`)))),
    ...(ended === undefined ? {} : present("exitCode", numberAt(status, `${ended}.exitCode`))),
    restarts: numberAt(status, "restartCount", 0),
  };
}

/** Models kubelet pkg/kubelet/images: after the first failure it backs off, and repeats the error behind that. */
function pullErrorOf(status: Fields): Pick<RecordedContainer, "pullError"> {
  const reason = stringAt(status, "state.waiting.reason", "");
  if (reason !== "ErrImagePull" && reason !== "ImagePullBackOff") return {};
  const message = stringAt(status, "state.waiting.message", "").replace(/^Back-off pulling image "[^"]*":? ?(ErrImagePull: )?/, "");
  return { pullError: message === "" ? "it could not be pulled" : message };
}

/** A ReplicaSet of a Deployment is named after it and after the hash of the template, which its pods have as a label. */
function ownerOf({ metadata }: KubeObject): RecordedPod["owner"] {
  const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
  if (owner === undefined) return { kind: "Pod", name: metadata.name };
  const hash = metadata.labels?.["pod-template-hash"];
  if (owner.kind === "ReplicaSet" && hash !== undefined && owner.name.endsWith(`-${hash}`))
    return { kind: "Deployment", name: owner.name.slice(0, -hash.length - 1) };
  return { kind: owner.kind, name: owner.name };
}

/** By the uid of a pod and the field of its container, in ms. */
function pullTimesIn(events: readonly KubeObject[]): ReadonlyMap<string, number> {
  return new Map(
    events.flatMap((event) => {
      const pullMs = pullTimeOf(stringAt(event, "message", ""));
      const key = `${stringAt(event, "involvedObject.uid", "")} ${stringAt(event, "involvedObject.fieldPath", "")}`;
      return pullMs === undefined ? [] : [[key, pullMs] as const];
    }),
  );
}

/** `Successfully pulled image "web:1" in 1.5s (2s including waiting). Image size: 5 bytes.` Models kubelet pkg/kubelet/images. */
function pullTimeOf(message: string): number | undefined {
  if (/^Container image ".*" already present on machine/.test(message)) return 0;
  const duration = /^Successfully pulled image ".*" in ([0-9a-zµ.]+)/.exec(message)?.[1];
  return duration === undefined ? undefined : parseDuration(duration);
}

function conditionTime(pod: KubeObject, type: string): number | undefined {
  return timeOf(findCondition(pod, type, "True")?.lastTransitionTime);
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** How long it took until it was ready or ended. */
function lengthOf({ createdAtMs, readyAtMs, containers }: RecordedPod): number {
  return Math.max(readyAtMs ?? 0, ...containers.map(({ finishedAtMs = 0 }) => finishedAtMs)) - createdAtMs;
}

function present<K extends string>(name: K, value: number | undefined): { readonly [key in K]?: number } {
  const fields: { [key in K]?: number } = {};
  if (value !== undefined) fields[name] = value;
  return fields;
}
