import { BadInput, Fault, type Problem } from "../../fault/index.ts";
import { isApiFault, isConflict, type ApiFault, type Cluster } from "../../kube/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../object/index.ts";
import { inKindOrder } from "../order/index.ts";
import type { Progress } from "../progress.ts";
import { track } from "../track/index.ts";
import type { Prepared } from "./prepare.ts";

export type ApplyOptions = {
  readonly signal: AbortSignal;
  /** Who owns the applied fields. Default `sluice`. */
  readonly manager?: string;
  /** Takes fields over from other owners. Default false. */
  readonly force?: boolean;
  /** Follows the objects until they are ready. Default true. */
  readonly wait?: boolean;
};

/** Kinds that others cannot do without: they are applied first, and must be ready before the rest. */
const foundations = new Set(["Namespace", "CustomResourceDefinition"]);

/**
 * Applies objects by server-side apply and follows them until all are ready or one has failed. What the cluster refuses
 * is found by a dry run before anything is touched, as far as it can know it by then.
 */
export async function* apply(prepared: readonly Prepared[], cluster: Cluster, options: ApplyOptions): AsyncGenerator<Progress> {
  const ordered = inKindOrder(prepared, ({ ref }) => ref.kind);
  await rehearse(
    ordered.filter(({ pending }) => !pending),
    cluster,
    options,
  );
  const [first, rest] = [ordered.filter(isFoundation), ordered.filter((item) => !isFoundation(item))];
  yield* applyEach(first, cluster, options);
  if (first.length > 0) yield* untilReady(first, cluster, options.signal);
  yield* applyEach(rest, cluster, options);
  if (options.wait ?? true) yield* untilReady(rest, cluster, options.signal);
}

function isFoundation({ ref }: Prepared): boolean {
  return foundations.has(ref.kind);
}

/** Everything that the cluster objects to, told at once. */
async function rehearse(
  items: readonly Prepared[],
  cluster: Cluster,
  { signal, manager = "sluice", force = false }: ApplyOptions,
): Promise<void> {
  const problems = await Promise.all(
    items.map(async ({ object, ref, at }): Promise<readonly Problem[]> => {
      try {
        await cluster.apply(object, { manager, force, dryRun: true, signal });
        return [];
      } catch (error) {
        if (!isApiFault(error)) throw error;
        return [{ at, message: `${titleOf(ref)}: ${objectionOf(error)}` }];
      }
    }),
  );
  if (problems.flat().length > 0) throw new BadInput(problems.flat());
}

/** What the cluster says, and for fields that somebody else owns what can be done about it. */
function objectionOf(error: ApiFault): string {
  if (!isConflict(error) || error.conflicts.length === 0) return error.explanation;
  const owners = error.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
  return `${owners}: leave the field out, or take it over with --force-conflicts`;
}

async function* applyEach(items: readonly Prepared[], cluster: Cluster, options: ApplyOptions): AsyncGenerator<Progress> {
  const { signal, manager = "sluice", force = false } = options;
  const done: ObjectRef[] = [];
  for (const { object, ref } of items) {
    signal.throwIfAborted();
    yield { type: "started", verb: "apply", ref };
    try {
      await cluster.apply(object, { manager, force, signal });
    } catch (error) {
      if (signal.aborted || !isApiFault(error)) throw unfinished(error, done);
      yield { type: "failed", verb: "apply", ref, because: objectionOf(error) };
      throw unfinished(new Fault(`apply ${titleOf(ref)}`, objectionOf(error)), done);
    }
    done.push(ref);
    yield { type: "finished", verb: "apply", ref };
  }
}

/** Nothing is half applied without being told. */
function unfinished(error: unknown, done: readonly ObjectRef[]): Fault {
  const left = done.length === 0 ? "nothing was applied" : `applied before that: ${done.map(titleOf).join(", ")}`;
  return new Fault(error instanceof Error ? error.message : String(error), left);
}

/** Follows objects until every one is ready; the first that has failed for good ends it, once the others have said how they are. */
async function* untilReady(items: readonly Prepared[], cluster: Cluster, signal: AbortSignal): AsyncGenerator<Progress> {
  const left = new Map(items.map(({ ref }) => [keyOf(ref), ref]));
  if (left.size === 0) return;
  for await (const { ref, health } of track(items, cluster, { signal })) {
    if (health.state === "ready") {
      if (!left.delete(keyOf(ref))) continue;
      yield { type: "finished", verb: "await", ref, ...(health.note === undefined ? {} : { because: health.note }) };
      if (left.size === 0) return;
    } else if (health.state === "progressing") {
      left.set(keyOf(ref), ref);
      yield { type: "waiting", verb: "await", ref, because: health.because };
    } else {
      yield { type: "failed", verb: "await", ref, because: health.because };
      throw new Failed(ref, health.because);
    }
  }
}

/** An object that will not become ready by waiting. */
export class Failed extends Fault {
  readonly ref: ObjectRef;

  constructor(ref: ObjectRef, because: string) {
    super(`${titleOf(ref)} failed`, because, { final: true });
    this.name = "Failed";
    this.ref = ref;
  }
}
