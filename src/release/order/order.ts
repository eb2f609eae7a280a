import type { Problem } from "../../fault/index.ts";
import { keyOf, refOf, titleOf, type GroupVersionKind, type ObjectRef } from "../../object/index.ts";
import { positionText, type Manifest } from "../../yaml/index.ts";
import type { Ordered } from "./claim.ts";
import { compareKinds } from "./kind-order.ts";
import { byStage } from "./helm.ts";
import { noteOn, readAnnotations, type Findings } from "./read-annotations.ts";
import type { Said } from "./reading.ts";
import { scopesIn, type Scope } from "./scope.ts";
import { settle } from "./settle.ts";

export type OrderOptions = {
  /** The release's namespace: that of objects which name none. */
  readonly namespace: string;
  /** Where a kind lives, as the cluster says. What it does not know is taken from the manifests, and from what Kubernetes has built in. */
  readonly scopeOf?: (gvk: GroupVersionKind) => Scope | undefined;
};

export type Order = {
  /** By stage; inside one by rank, kind and place in the documents, and hooks by weight and name. */
  readonly ordered: readonly Ordered<Manifest>[];
  /** What makes the order impossible or cannot be meant: nothing may be applied. */
  readonly problems: readonly Problem[];
  /** What can hardly be meant. */
  readonly warnings: readonly Problem[];
};

/** A manifest, whom it names, and what it says of itself. */
export type Entry = { readonly manifest: Manifest; readonly ref: ObjectRef; readonly said: Said };

/** Reads the order of a release from its manifests. All that is wrong is told at once. */
export function order(manifests: readonly Manifest[], { namespace, scopeOf }: OrderOptions): Order {
  const findings: Findings = { problems: [], warnings: [] };
  const known = scopesIn(manifests);
  const entries = manifests.map((manifest): Entry => {
    const ref = placed(refOf(manifest.object), namespace, scopeOf ?? known, known);
    return { manifest, ref, said: readAnnotations(manifest, findings) };
  });
  findings.problems.push(...twice(entries), ...entries.flatMap(disagreements));
  const circumstances = { namespace, kotsAlone: isKotsAlone(entries) };
  const ordered = sorted(entries.map(({ manifest, ref, said }) => ({ item: manifest, ref, claims: settle(ref, said, circumstances) })));
  return { ordered, ...findings };
}

function placed(
  ref: ObjectRef,
  namespace: string,
  scopeOf: (gvk: GroupVersionKind) => Scope | undefined,
  known: (gvk: GroupVersionKind) => Scope,
): ObjectRef {
  const scope = scopeOf(ref) ?? known(ref);
  return { ...ref, namespace: scope === "cluster" ? "" : ref.namespace || namespace };
}

function twice(entries: readonly Entry[]): readonly Problem[] {
  const first = new Map<string, Manifest>();
  return entries.flatMap(({ manifest, ref }) => {
    const at = positionText(manifest.at);
    if (ref.name === undefined)
      return [{ at, message: `${ref.kind.toLowerCase()}: it has a generateName only; expected metadata.name, by which it is found again` }];
    const other = first.get(keyOf(ref));
    first.set(keyOf(ref), other ?? manifest);
    if (other === undefined) return [];
    return [{ at, message: `${titleOf(ref)} is there twice, first at ${positionText(other.at)}: remove or rename one of them` }];
  });
}

/** Annotations on one object that cannot both be meant. */
function disagreements({ manifest, ref, said }: Entry): readonly Problem[] {
  const [first, ...others] = said.ranks ?? [];
  const rivals = said.hook === undefined && first !== undefined ? others.filter(({ value }) => value !== first.value) : [];
  const problems = rivals.map(({ key, value }) =>
    noteOn(
      manifest,
      key,
      `is "${value}", but ${first!.key} is "${first!.value}": an object has one place; leave one of them out, or give both one value`,
    ),
  );
  if (said.keep?.delete === true && (said.remove === "before" || said.remove === "after"))
    problems.push(
      noteOn(manifest, "sluice.dev/remove", `is "${said.remove}", but another annotation keeps ${titleOf(ref)}: leave one of them out`),
    );
  return problems;
}

function isKotsAlone(entries: readonly Entry[]): boolean {
  const dialects = new Set(entries.filter(({ said }) => said.hook === undefined).flatMap(({ said }) => said.orderedBy ?? []));
  return dialects.has("kots") && dialects.size === 1;
}

/** Hooks go by weight and name, as in Helm; what is no hook by rank and kind. What is equal stays as the documents have it. */
function sorted(items: readonly Ordered<Manifest>[]): readonly Ordered<Manifest>[] {
  return items.toSorted((a, b) => {
    const place = byStage(a.claims.stage, b.claims.stage) || a.claims.rank - b.claims.rank;
    if (place !== 0) return place;
    const names = a.claims.hook && b.claims.hook && a.ref.name !== b.ref.name ? (a.ref.name < b.ref.name ? -1 : 1) : 0;
    return names || compareKinds(a.ref.kind, b.ref.kind);
  });
}
