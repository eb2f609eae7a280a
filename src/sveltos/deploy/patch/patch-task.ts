import type { ProfilePatch } from "../../api/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import type { GroupVersionKind, KubeObject } from "../../../core/object/index.ts";
import { resolveQueries } from "../../../release/render/index.ts";
import type { OwnedTasks } from "../owned-tasks.ts";
import { applyPatches } from "./apply-patches.ts";
import { patchFactsOf, type PatchFacts } from "./patch-facts.ts";
import { preparePatches } from "./prepare-patches.ts";

/** What patches ask of a cluster: the scope of a kind, or an OpenAPI document. */
export type PatchQuery = { readonly scopeOf: GroupVersionKind } | { readonly openApi: string };

/** The answers so far. A task that lacks one returns its questions, and is run again. */
export type PatchAnswers = readonly (readonly [PatchQuery, boolean | string | undefined])[];

type PatchTask = { readonly objects: readonly KubeObject[]; readonly patches: readonly ProfilePatch[]; readonly answers: PatchAnswers };
type PatchReply = { readonly patched: readonly (KubeObject | undefined)[] } | { readonly open: readonly PatchQuery[] };

/** The handler of a worker. Its input comes from `patchObjects`. */
export async function patchTask(input: unknown): Promise<PatchReply> {
  const { objects, patches, answers } = input as PatchTask;
  const { facts, open } = answeredFacts(answers);
  const prepared = preparePatches(patches);
  return withoutOpen(open, async () => ({ patched: await applyPatches(objects, prepared, facts) }));
}

/** Runs work with answers. An error counts only when every question was answered. */
export async function withoutOpen<Query, Result>(
  open: ReadonlyMap<string, Query>,
  work: () => Promise<Result>,
): Promise<Result | { readonly open: readonly Query[] }> {
  try {
    const result = await work();
    return open.size > 0 ? { open: [...open.values()] } : result;
  } catch (error) {
    if (open.size > 0) return { open: [...open.values()] };
    throw error;
  }
}

/** Facts of a cluster as far as they are known, and what is asked besides. */
export function answeredFacts(answers: PatchAnswers): { readonly facts: PatchFacts; readonly open: ReadonlyMap<string, PatchQuery> } {
  const known = new Map(answers.map(([query, answer]) => [JSON.stringify(query), answer]));
  const open = new Map<string, PatchQuery>();
  const answerTo = (query: PatchQuery) => {
    const key = JSON.stringify(query);
    if (!known.has(key)) open.set(key, query);
    return known.get(key);
  };
  const facts: PatchFacts = {
    scopeOf: ({ group, version, kind }) => {
      const answer = answerTo({ scopeOf: { group, version, kind } });
      return Promise.resolve(typeof answer === "boolean" ? answer : undefined);
    },
    readOpenApi: (path) => Promise.resolve(String(answerTo({ openApi: path }) ?? "")),
  };
  return { facts, open };
}

/** Patches that name a new kind each time are none that anybody means. */
const maxRounds = 20;

/** Runs work in a worker until it has all answers about the cluster. */
export async function resolvePatchQueries<Result>(
  cluster: Cluster,
  work: (answers: PatchAnswers, answerTo: (query: PatchQuery) => void) => Promise<Result>,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result> {
  const { scopeOf, readOpenApi } = patchFactsOf(cluster, { signal });
  const answers: (readonly [PatchQuery, boolean | string | undefined])[] = [...(await servedAnswers(cluster))];
  const ask = async (query: PatchQuery) => {
    answers.push([query, "scopeOf" in query ? await scopeOf(query.scopeOf) : await readOpenApi(query.openApi)]);
  };
  return resolveQueries(ask, (answerTo) => work(answers, answerTo), { maxRounds, tooMany });
}

function tooMany(): Fault {
  return new Fault("patches", `they ask for other kinds each time, more than ${maxRounds} times over`, { final: true });
}

/** The scopes of all kinds that are known to be served: most patches then ask nothing. */
async function servedAnswers(cluster: Cluster): Promise<PatchAnswers> {
  return (await cluster.discovery.groups()).flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ kind, namespaced }) => [{ scopeOf: { group, version, kind } }, namespaced] as const),
    ),
  );
}

type PatchOptions = { readonly signal: AbortSignal; readonly tasks: OwnedTasks | undefined };

/**
 * Applies the patches of a profile to its objects, in a worker where there is one. The result has an entry for each object:
 * undefined for one that a patch deletes. Without objects the patches are still checked.
 */
export async function patchObjects(
  objects: readonly KubeObject[],
  patches: readonly ProfilePatch[],
  cluster: Cluster,
  { signal, tasks }: PatchOptions,
): Promise<readonly (KubeObject | undefined)[]> {
  if (patches.length === 0) return objects;
  if (tasks === undefined) return applyPatches(objects, preparePatches(patches), patchFactsOf(cluster, { signal }));
  const run = async (answers: PatchAnswers, answerTo: (query: PatchQuery) => void) => {
    const input: PatchTask = { objects, patches, answers };
    const reply = (await tasks.run({ handler: "patches", input, at: "patches", madeOf: [patches, objects] })) as PatchReply;
    if ("patched" in reply) return reply.patched;
    for (const query of reply.open) answerTo(query);
    return [];
  };
  return objects.length === 0 ? run([], () => undefined) : resolvePatchQueries(cluster, run, { signal });
}
