import type { ProfilePatch } from "../../api/index.ts";
import { BadInput } from "../../../core/fault/index.ts";
import { isKubeObject } from "../../../core/object/index.ts";
import { readDocuments, writeYaml } from "../../../lang/yaml/index.ts";
import { type ChartAttempt, type ChartRenderer, type ChartReply } from "../../../release/chart/index.ts";
import type { PostRender } from "../../../release/render/index.ts";
import { applyPatches } from "../patch/apply-patches.ts";
import { listItemsOf } from "../patch/list-items.ts";
import type { PatchFacts } from "../patch/patch-facts.ts";
import { answeredFacts, withoutOpen, type PatchAnswers, type PatchQuery } from "../patch/patch-task.ts";
import { preparePatches } from "../patch/prepare-patches.ts";
import { mergedValues, type ValuesText } from "./chart-values.ts";

/** How long the templates of a chart may run. In the controller's own process probes wait for it, and Leases, which last a little longer. */
export const maxRenderMs = 8_000;

/** A chart of a profile that is to be rendered and patched. */
export type ChartTask = {
  readonly attempt: ChartAttempt;
  readonly values: readonly ValuesText[];
  readonly patches: readonly ProfilePatch[];
  readonly patchAnswers: PatchAnswers;
};

/** The reply of a renderer, or what the patches lack. */
export type ChartTaskReply = ChartReply | { readonly open: readonly PatchQuery[] };

/** The handler of a worker. Its input comes from `renderChart`. */
export function chartTask(input: unknown, renderer: ChartRenderer): Promise<ChartTaskReply> {
  const { attempt, values, patches, patchAnswers } = input as ChartTask;
  const { facts, open } = answeredFacts(patchAnswers);
  const postRender = patchingBy(patches, facts);
  return withoutOpen(open, () => renderer.attempt(attempt, { values: () => mergedValues(values), postRender, maxMs: maxRenderMs }));
}

/** A post-renderer that applies patches; undefined when there are none. */
export function patchingBy(patches: readonly ProfilePatch[], facts: PatchFacts): PostRender | undefined {
  if (patches.length === 0) return undefined;
  const prepared = preparePatches(patches);
  return async (text) => {
    const { documents, problems } = readDocuments(text, "chart", { duplicateKeys: "last wins" });
    if (problems.length > 0) throw new BadInput(problems);
    // Lists stand for their items, as in Kustomize.
    const values = documents.flatMap(({ value }) => listItemsOf(value));
    const patched = await applyPatches(values.filter(isKubeObject), prepared, facts);
    let next = 0;
    const kept = values.flatMap((value) => (isKubeObject(value) ? (patched[next++] ?? []) : [value]));
    return kept.map(writeYaml).join("---\n");
  };
}
