import { stringAt, valueAt, type Fields } from "../../../core/object/index.ts";

/** One run of a container, from its start to its end. */
export type ContainerRun = {
  readonly id: string;
  readonly ended: boolean;
  /** Another run has begun or will, so that the log has to be asked for as the previous one. */
  readonly previous: boolean;
};

/** The runs whose logs can be read, oldest first: the latest one and the one before it. */
export function containerRunsOf(status: Fields): readonly ContainerRun[] {
  return [endedRunIn(status, "lastState", true), endedRunIn(status, "state", false), currentRunIn(status)].filter(
    (run) => run !== undefined,
  );
}

/** A container that never ran may be terminated, too: it has neither an id nor a start. */
function endedRunIn(status: Fields, state: "state" | "lastState", previous: boolean): ContainerRun | undefined {
  const id = stringAt(status, `${state}.terminated.containerID`, "") || stringAt(status, `${state}.terminated.startedAt`, "");
  return id === "" ? undefined : { id, ended: true, previous };
}

function currentRunIn(status: Fields): ContainerRun | undefined {
  if (valueAt(status, "state.running") === undefined) return undefined;
  const id = stringAt(status, "containerID", "") || stringAt(status, "state.running.startedAt", "");
  return { id, ended: false, previous: false };
}
