import type { Problem } from "../../core/fault/index.ts";
import { keyOf, refOf, type GroupVersionKind, type ObjectRef } from "../../core/object/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import type { Need, Ordered } from "./claim.ts";
import { untangle } from "./contradiction.ts";
import { cycleProblem } from "./cycle-text.ts";
import { endlessWaits } from "./endless.ts";
import { disagreements, ineffective, strayNeeds, twice, type Entry } from "./disagreement.ts";
import { impliedNeeds, type ImpliedNeed } from "./implied.ts";
import { finder, type Find } from "./match.ts";
import { readAnnotations, type Findings } from "./read-annotations.ts";
import type { Said } from "./reading.ts";
import { scopesIn, type Scope } from "./scope.ts";
import { compareInStage } from "./sequence.ts";
import { settle } from "./settle.ts";
import { byStage } from "./stage.ts";

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

/** Reads the order of a release from its manifests. All that is wrong is told at once. */
export function order(manifests: readonly Manifest[], { namespace, scopeOf }: OrderOptions): Order {
  const findings: Findings = { problems: [], warnings: [] };
  const known = scopesIn(manifests);
  const entries = manifests.map((manifest): Entry => {
    const ref = refOf(manifest.object);
    const scope = scopeOf?.(ref) ?? known(ref);
    const placed = { ...ref, namespace: scope === "cluster" ? "" : ref.namespace || namespace };
    return { manifest, ref: placed, said: readAnnotations(manifest, findings) };
  });
  const refs = entries.map(({ ref }) => ref);
  const find = finder(refs, (ref) => ref, namespace);
  findings.problems.push(...twice(entries), ...entries.flatMap(disagreements), ...entries.flatMap((entry) => strayNeeds(entry, find)));
  findings.warnings.push(...entries.flatMap(ineffective));
  const circumstances = { namespace, kotsAlone: isKotsAlone(entries) };
  const claimed = entries.map(({ manifest, ref, said }) => ({
    item: manifest,
    ref,
    claims: settle(ref, { ...said, ...spelled(said, find) }, circumstances),
  }));
  const ordered = related(sorted(claimed), find, findings);
  return { ordered, problems: fromTheTop(findings.problems), warnings: fromTheTop(findings.warnings) };
}

/** Needs with group, version and kind as the objects spell them, so that whoever compares them next need not care. */
function spelled({ needs, deletionNeeds }: Said, find: Find<ObjectRef>): Said {
  const proper = (need: Need): Need => {
    const { group, version, kind } = need.target;
    const [found] = need.external ? [] : find(need.target);
    if (found === undefined) return need;
    return {
      ...need,
      target: {
        ...need.target,
        ...(group === undefined ? {} : { group: found.group }),
        ...(version === undefined ? {} : { version: found.version }),
        ...(kind === undefined ? {} : { kind: found.kind }),
      },
    };
  };
  return {
    ...(needs === undefined ? {} : { needs: needs.map(proper) }),
    ...(deletionNeeds === undefined ? {} : { deletionNeeds: deletionNeeds.map(proper) }),
  };
}

function isKotsAlone(entries: readonly Entry[]): boolean {
  const dialects = new Set(entries.filter(({ said }) => said.hook === undefined).flatMap(({ said }) => said.orderedBy ?? []));
  return dialects.has("kots") && dialects.size === 1;
}

function sorted(items: readonly Ordered<Manifest>[]): readonly Ordered<Manifest>[] {
  return items.toSorted((a, b) => byStage(a.claims.stage, b.claims.stage) || compareInStage(a, b));
}

/** Adds the needs that the manifests imply, and tells of circles and of waits that cannot end. */
function related(
  ordered: readonly Ordered<Manifest>[],
  find: Find<ObjectRef>,
  { problems, warnings }: Findings,
): readonly Ordered<Manifest>[] {
  const members = new Map(ordered.map((member) => [keyOf(member.ref), member]));
  const memberOf = (key: string) => members.get(key)!;
  const implied = impliedNeeds(ordered.map(({ ref, item }) => ({ ref, object: item.object })));
  const all = new Map<string, readonly ImpliedNeed[]>();
  for (const [key, { ref, item }] of members) all.set(key, implied({ ref, object: item.object }));
  const { kept, dropped, cycles } = untangle(ordered, all, find);
  problems.push(...cycles.map((links) => cycleProblem(links, memberOf)));
  warnings.push(...endlessWaits(ordered, dropped, memberOf));
  return ordered.map((member) => {
    const more = kept.get(keyOf(member.ref)) ?? [];
    if (more.length === 0) return member;
    const needs = [...member.claims.needs, ...more.map(({ on: _on, hard: _hard, ...need }) => need)];
    return { ...member, claims: { ...member.claims, needs } };
  });
}

/** File by file as they were first spoken of, each from its top to its end. */
function fromTheTop(problems: readonly Problem[]): readonly Problem[] {
  const byFile = Map.groupBy(problems, ({ at }) => at.slice(0, at.lastIndexOf(":")));
  return [...byFile.values()].flatMap((list) => list.toSorted((a, b) => lineOf(a) - lineOf(b)));
}

function lineOf({ at }: Problem): number {
  return Number(at.slice(at.lastIndexOf(":") + 1));
}
