import type { RecordedPod, Recording, Timeline } from "../release/recording/index.ts";

/** A timeline as data, with its beginning as a time and with what the pods told. */
export function timelineOutline({ startedAtMs, ...timeline }: Timeline, { runs }: Recording): object {
  return {
    ...timeline,
    startedAt: new Date(startedAtMs).toISOString(),
    pods: runs.flatMap(({ pods }) => pods.map((pod) => podOutline(pod, startedAtMs))),
  };
}

/** Times are in ms since the start, like all others. */
function podOutline({ createdAtMs, scheduledAtMs, readyAtMs, containers, ...pod }: RecordedPod, startMs: number): object {
  const since = (name: string, ms: number | undefined) => (ms === undefined ? {} : { [name]: ms - startMs });
  return {
    ...pod,
    ...since("createdMs", createdAtMs),
    ...since("scheduledMs", scheduledAtMs),
    ...since("readyMs", readyAtMs),
    containers: containers.map(({ startedAtMs, finishedAtMs, ...container }) => ({
      ...container,
      ...since("startedMs", startedAtMs),
      ...since("finishedMs", finishedAtMs),
    })),
  };
}
