import { keyOf, refOf, type ObjectRef } from "../../core/object/index.ts";
import { mergeSensitivity, textConcealer, type Sensitivity, type SensitiveObject } from "../conceal/index.ts";
import { sensitivityIn } from "../order/index.ts";
import { readManifestTexts, splitManifests } from "../record/index.ts";
import type { Proposal } from "./proposal.ts";

const none: Sensitivity = { whole: false, paths: [] };

/** The objects of a proposal that hide something, changed or not, and what is live of them. Of others not even the text is parsed. */
export function sensitiveObjectsOf({ revision, objects }: Proposal): readonly SensitiveObject[] {
  const planned = new Map(objects.map(({ ref, sensitive }) => [keyOf(ref), sensitive]));
  const plannedOf = (ref: ObjectRef) => planned.get(keyOf(ref)) ?? planned.get(keyOf({ ...ref, namespace: revision.namespace })) ?? none;
  const hooks = revision.hooks.map(({ path, manifest }) => ({ source: path, text: manifest }));
  const texts = [...splitManifests(revision.manifest), ...hooks].filter(({ text }) => /\bSecret\b|sensitive/.test(text));
  const manifests = readManifestTexts(texts).manifests.map((manifest) => {
    const { object } = manifest;
    return { object, sensitive: mergeSensitivity(sensitivityIn(manifest), plannedOf(refOf(object))) };
  });
  const live = objects.flatMap(({ live: object, sensitive }) => (object === undefined ? [] : [{ object, sensitive }]));
  return [...manifests, ...live].filter(
    ({ object, sensitive }) => object.kind === "Secret" || sensitive.whole || sensitive.paths.length > 0,
  );
}

/** Hides the sensitive values of a proposal in texts about its run. */
export function textConcealerFor(proposal: Proposal): (text: string) => string {
  return textConcealer(() => sensitiveObjectsOf(proposal));
}
