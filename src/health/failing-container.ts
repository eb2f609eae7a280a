import { listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../core/object/index.ts";

/** A container whose log tells what is wrong with its pod, and in which of its lives it was written. */
export type FailingContainer = { readonly container: string; readonly previous: boolean };

/** The containers that have crashed, ended badly or run without becoming ready, in their order. One that never ran has nothing to say. */
export function failingContainersOf(pod: KubeObject): readonly FailingContainer[] {
  const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
  return statuses.flatMap((status) => {
    const previous = lifeOf(status);
    return previous === undefined ? [] : [{ container: stringAt(status, "name", ""), previous }];
  });
}

/** Whether it was the life before this one in which it went wrong; undefined when nothing did. */
function lifeOf(status: Fields): boolean | undefined {
  if (numberAt(status, "state.terminated.exitCode", 0) !== 0) return false;
  const crashed = numberAt(status, "lastState.terminated.exitCode", 0) !== 0;
  if (valueAt(status, "state.waiting") !== undefined) return crashed ? true : undefined;
  const unready = valueAt(status, "state.running") !== undefined && status["ready"] === false;
  return unready ? crashed : undefined;
}
