import type { KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { readyCondition } from "./service-pod-index.ts";

export const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Tracks which pod or Service change triggers the next write of endpoints. Models k8s.io/endpointslice util/trigger_time_tracker.go */
export class TriggerTimeTracker {
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  next(key: string, service: KubeObject, pods: readonly Pod[]): string | undefined {
    const before = this.#known.get(key);
    const times = new Map<string, string>();
    let first: string | undefined;
    for (const pod of pods) {
      const time = readyCondition(pod)?.lastTransitionTime ?? "";
      times.set(pod.metadata.name, time);
      if (time > (before?.get(pod.metadata.name) ?? "") && (first === undefined || time < first)) first = time;
    }
    this.#known.set(key, times);
    return before === undefined ? service.metadata.creationTimestamp : first;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Sets or removes the trigger time annotation. */
export function withTrigger(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> {
  const { [triggerAnnotation]: _before, ...rest } = annotations ?? {};
  return time === undefined ? rest : { ...rest, [triggerAnnotation]: time };
}
