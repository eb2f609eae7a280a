import { Fault } from "../core/fault/index.ts";
import type { Parcel } from "./parcel.ts";

/** Work on the input of others. Input and output are data that can be cloned. */
export type IsolatedTask = {
  /** What is to be done: the name of a handler. */
  readonly handler: string;
  readonly input: unknown;
  /** Who pays for it, as messages name it: owners take turns, and one whose tasks keep ending workers pauses. */
  readonly owner: string;
  /** What it is about, which is set aside when it ends a worker: with what it was made of, so that a change is tried at once. */
  readonly subject: string;
  /** How messages name it. */
  readonly title: string;
  /** It may be the fault of somebody else's data, for which the owner does not pause. Default: false. */
  readonly sparesOwner?: boolean;
};

/** Runs tasks elsewhere. Throws a TaskEnded for one that has reached a limit, and the Fault that its handler threw. */
export type TaskRunner = { run(task: IsolatedTask, signal: AbortSignal): Promise<unknown> };

/** The tasks of whoever, which this owner pays for. */
export function ownedBy(owner: string, tasks: TaskRunner): TaskRunner {
  return { run: (task, signal) => tasks.run({ ...task, owner }, signal) };
}

/** What a worker is told, and what it answers. */
export type TaskRequest = { readonly id: number; readonly handler: string; readonly input: Parcel };
export type TaskReply =
  | { readonly id: number; readonly output: Parcel }
  | { readonly id: number; readonly fault: { readonly message: string; readonly final: boolean } };

/** A task has ended its worker. It is set aside, and tried again later. */
export class TaskEnded extends Fault {
  /** Which limit it has reached. */
  readonly reason: string;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly retryAt: number;
  /** It was not tried now, but ended a worker before. */
  readonly isHeld: boolean;

  /** With an `owner`, all of whose tasks are set aside. */
  constructor(
    title: string,
    reason: string,
    retryAt: number,
    { owner, isHeld = false }: { readonly owner?: string; readonly isHeld?: boolean } = {},
  ) {
    const at = new Date(retryAt).toISOString().replace(/\.\d+Z$/, "Z");
    const what =
      owner === undefined
        ? `it is set aside until ${at}, and tried again then or when it changes`
        : `all texts of ${owner} are set aside until ${at}`;
    super(`${title}: ${reason}; ${what}`);
    this.name = "TaskEnded";
    this.reason = reason;
    this.retryAt = retryAt;
    this.isHeld = isHeld;
  }
}
