import { isApiFault, isConflict, type ApiFault, type Cluster } from "../../kube/index.ts";
import { equal, refOf, type KubeObject } from "../../core/object/index.ts";
import { withoutClientSideFields } from "./field-ownership.ts";

/** The dry run's result: the object as it would be, or the error. */
export type DryRunAttempt = KubeObject | ApiFault;

type DryRunOptions = { readonly signal: AbortSignal; readonly manager: string };

export async function dryRunApply(
  manifest: KubeObject,
  force: boolean,
  cluster: Cluster,
  { signal, manager }: DryRunOptions,
): Promise<DryRunAttempt> {
  return faultOrObject(() => cluster.apply(manifest, { manager, force, dryRun: true, signal }));
}

async function faultOrObject(dryRun: () => Promise<KubeObject>): Promise<DryRunAttempt> {
  try {
    return await dryRun();
  } catch (error) {
    if (isApiFault(error)) return error;
    throw error;
  }
}

/**
 * The result of an apply after the fields of client-side managers have become ours, which a dry run cannot do first: no
 * conflict with those managers, and without the fields that only they own. The server defaults and checks the rest.
 */
export async function dryRunAfterMigration(
  manifest: KubeObject,
  live: KubeObject,
  attempt: DryRunAttempt,
  managers: readonly string[],
  cluster: Cluster,
  options: DryRunOptions,
): Promise<DryRunAttempt> {
  const isCured = isApiFault(attempt) && isConflict(attempt) && attempt.conflicts.every(({ manager }) => managers.includes(manager));
  const applied = isCured ? await dryRunApply(manifest, true, cluster, options) : attempt;
  if (isApiFault(applied)) return applied;
  const next = withoutClientSideFields(applied, live, managers, options.manager);
  if (equal(next, applied)) return applied;
  const { signal, manager } = options;
  return faultOrObject(() =>
    cluster.patch(refOf(live), { type: "json", patch: patchBetween(live, next) }, { manager, dryRun: true, signal }),
  );
}

const identity = new Set(["apiVersion", "kind", "metadata", "status"]);
const writable = ["labels", "annotations", "finalizers", "ownerReferences"] as const;

/** A JSON patch that replaces whole fields: it leaves alone what the server manages. */
function patchBetween(live: KubeObject, next: KubeObject): readonly unknown[] {
  const names = [...new Set([...Object.keys(live), ...Object.keys(next)])].filter((name) => !identity.has(name));
  return [
    ...names.flatMap((name) => operationFor(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, live[name], next[name])),
    ...writable.flatMap((name) => operationFor(`/metadata/${name}`, live.metadata[name], next.metadata[name])),
  ];
}

function operationFor(path: string, before: unknown, after: unknown): readonly unknown[] {
  if (equal(before, after)) return [];
  return [after === undefined ? { op: "remove", path } : { op: "add", path, value: after }];
}
