import type { TaskRunner } from "../../worker/index.ts";
import { valueHash } from "../api/index.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";

/** Work of a ClusterSummary for a worker. */
type OwnedTask = {
  readonly handler: "content" | "manifests" | "index" | "provenance" | "values" | "chart" | "patches";
  readonly input: unknown;
  /** Names the text that it is about, in messages. */
  readonly at: string;
  /** What it depends on: a change of it is tried at once, even when it was set aside. */
  readonly madeOf: unknown;
};

/** Runs the tasks of one ClusterSummary in workers. Its profile pays for them. */
export class OwnedTasks {
  readonly #tasks: TaskRunner;
  readonly #scope: ClusterSummaryScope;
  readonly #signal: AbortSignal;

  constructor(tasks: TaskRunner, scope: ClusterSummaryScope, signal: AbortSignal) {
    this.#tasks = tasks;
    this.#scope = scope;
    this.#signal = signal;
  }

  run({ handler, input, at, madeOf }: OwnedTask): Promise<unknown> {
    const { kind, namespace, name } = this.#scope.owner;
    const { metadata } = this.#scope.summary;
    return this.#tasks.run(
      {
        handler,
        input,
        owner: `${kind} ${namespace}/${name}`,
        subject: `ClusterSummary ${metadata.namespace}/${metadata.name} ${at} ${valueHash(madeOf)}`,
        title: at,
      },
      this.#signal,
    );
  }
}

/** The tasks of a ClusterSummary; undefined where everything runs in this process. */
export function ownedTasksOf(
  scope: ClusterSummaryScope,
  { tasks }: Pick<AddonContext, "tasks">,
  signal: AbortSignal,
): OwnedTasks | undefined {
  return tasks === undefined ? undefined : new OwnedTasks(tasks, scope, signal);
}
