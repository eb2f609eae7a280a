import { BadInput, Fault } from "../../fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { titleOf, type ObjectRef } from "../../object/index.ts";
import { plan } from "../plan/index.ts";
import type { Progress } from "../progress.ts";
import { survey } from "../survey/index.ts";
import type { Prepared } from "./prepare.ts";
import { run } from "./run.ts";

export type ApplyOptions = {
  readonly signal: AbortSignal;
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Takes fields over from other owners. Default false. */
  readonly force?: boolean;
  /** Follows the objects until they are ready. Default true. */
  readonly wait?: boolean;
};

/**
 * Applies objects in their order, each as soon as what it waits for is there, and follows them until all are ready. What
 * the cluster refuses is found by a dry run before anything is touched, as far as it can know it by then.
 */
export async function* apply(prepared: readonly Prepared[], cluster: Cluster, options: ApplyOptions): AsyncGenerator<Progress> {
  const { signal, manager = "sluice", force = false, wait = true } = options;
  const known = prepared.filter(({ pending }) => !pending).map(({ ref, object }) => ({ ref, manifest: object }));
  const { facts } = await survey(known, cluster, { signal, manager, force });
  const desired = prepared.map(({ object, at, ref, claims }) => ({ item: { object, at }, ref, claims }));
  const planned = plan({ operation: "install", desired, live: facts, options: { wait: wait ? "all" : "none", force } });
  if ("problems" in planned) throw new BadInput(planned.problems);
  yield* failing(run(planned.plan, { cluster, manager }, { signal }));
}

/** Tells of the steps; that one of them has failed is thrown when all is over. */
async function* failing(story: ReturnType<typeof run>): AsyncGenerator<Progress> {
  let first: { readonly ref: ObjectRef; readonly because: string } | undefined;
  for await (const event of story) {
    if (event.type === "planned" || event.type === "done") continue;
    if (event.type === "failed") first ??= event;
    yield event;
  }
  if (first !== undefined) throw new Failed(first.ref, first.because);
}

/** An object that could not be applied, or will not become ready by waiting. */
export class Failed extends Fault {
  readonly ref: ObjectRef;

  constructor(ref: ObjectRef, because: string) {
    super(`${titleOf(ref)} failed`, because, { final: true });
    this.name = "Failed";
    this.ref = ref;
  }
}
