import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import {
  mergeSensitivity,
  quoteConcealer,
  textConcealer,
  withoutQuotes,
  type Sensitivity,
  type SensitiveObject,
} from "../conceal/index.ts";
import { sensitivityIn } from "../order/index.ts";
import { readManifestTexts, splitManifests, type Revision } from "../record/index.ts";
import type { Proposal } from "./proposal.ts";

/** As much of a proposal as tells what is sensitive in it. */
export type SensitiveProposal = Pick<Proposal, "objects"> & { readonly revision: Pick<Revision, "manifest" | "hooks" | "namespace"> };

const none: Sensitivity = { whole: false, paths: [] };

/** The objects of a proposal that hide something, changed or not, and what is live of them. Of others not even the text is parsed. */
export function sensitiveObjectsOf({ revision, objects }: SensitiveProposal): readonly SensitiveObject[] {
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

/** Hides what objects quote of the Secrets of a proposal. The names of its objects stay: they are told anyway. */
export function quoteHiderFor(proposal: SensitiveProposal): (object: KubeObject) => KubeObject {
  const conceal = quoteConcealer(sensitiveObjectsOf(proposal));
  const kept = new Set(proposal.objects.flatMap(({ ref: { name, namespace } }) => [name, namespace]));
  return (object) => withoutQuotes(object, conceal, { kept });
}

/** Hides the sensitive values of a proposal in texts about its run. */
export function textConcealerFor(proposal: Proposal): (text: string) => string {
  return textConcealer(() => sensitiveObjectsOf(proposal));
}
