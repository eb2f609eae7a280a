import { listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../core/object/index.ts";

/** A container whose log explains the issue of its pod. `previous` selects the log of its previous run. */
export type FailingContainer = { readonly container: string; readonly previous: boolean };

/** The containers that have crashed, failed or run without becoming ready, in order. A container that never ran has no log. */
export function failingContainersOf(pod: KubeObject): readonly FailingContainer[] {
  const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
  return statuses.flatMap((status) => {
    const previous = failedRunOf(status);
    return previous === undefined ? [] : [{ container: stringAt(status, "name", ""), previous }];
  });
}

/** Whether the previous run has failed. Undefined when none has. */
function failedRunOf(status: Fields): boolean | undefined {
  if (numberAt(status, "state.terminated.exitCode", 0) !== 0) return false;
  const crashed = numberAt(status, "lastState.terminated.exitCode", 0) !== 0;
  if (valueAt(status, "state.waiting") !== undefined) return crashed ? true : undefined;
  const unready = valueAt(status, "state.running") !== undefined && status["ready"] === false;
  return unready ? crashed : undefined;
}
