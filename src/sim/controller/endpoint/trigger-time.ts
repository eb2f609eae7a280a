import { condition, type KubeObject } from "../../../object/index.ts";
import type { Pod } from "../../behaviour/index.ts";

export const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Tells which change of a pod or Service the next write of its endpoints answers. Models k8s.io/endpointslice util/trigger_time_tracker.go */
export class TriggerTimes {
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  next(key: string, service: KubeObject, pods: readonly Pod[]): string | undefined {
    const before = this.#known.get(key);
    const times = new Map(pods.flatMap((pod) => timeOf(pod).map((time) => [pod.metadata.name, time])));
    this.#known.set(key, times);
    if (before === undefined) return service.metadata.creationTimestamp;
    const changed = [...times].filter(([name, time]) => time > (before.get(name) ?? ""));
    return changed.map(([, time]) => time).sort()[0];
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

function timeOf(pod: Pod): string[] {
  const time = condition(pod, "Ready")?.lastTransitionTime;
  return typeof time === "string" ? [time] : [];
}

/** An annotation set to the time, or without it. */
export function withTrigger(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> {
  const { [triggerAnnotation]: _before, ...rest } = annotations ?? {};
  return time === undefined ? rest : { ...rest, [triggerAnnotation]: time };
}
