import type { Problem } from "../../core/fault/index.ts";
import { keyOf, refOf, type GroupVersionKind, type ObjectRef } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { Need, Ordered } from "./ordering-constraints.ts";
import { resolveCycles } from "./resolve-cycles.ts";
import { cycleProblem } from "./cycle-problem.ts";
import { endlessWaits } from "./endless-waits.ts";
import {
  conflictingAnnotations,
  ineffectiveAnnotations,
  unresolvedNeeds,
  duplicateObjects,
  type AnnotatedManifest,
} from "./annotation-problems.ts";
import { impliedNeeds, type ImpliedNeed } from "./implied-needs.ts";
import { targetFinder, type TargetFinder } from "./target-finder.ts";
import { readAnnotations, type OrderFindings } from "./read-annotations.ts";
import type { ParsedAnnotations } from "./annotation-reader.ts";
import { scopesFromManifests, type ResourceScope } from "./resource-scope.ts";
import { compareInStage } from "./operation-sequence.ts";
import { resolveConstraints } from "./resolve-constraints.ts";
import { compareStages } from "./stage-order.ts";

export type OrderOptions = {
  /** The release's namespace: that of objects which name none. */
  readonly namespace: string;
  /** Where a kind lives, as the cluster says. What it does not know is taken from the manifests, and from what Kubernetes has built in. */
  readonly scopeOf?: (gvk: GroupVersionKind) => ResourceScope | undefined;
};

export type Order = {
  /** By stage; inside one by rank, kind and place in the documents, and hooks by weight and name. */
  readonly ordered: readonly Ordered<LocatedManifest>[];
  /** What makes the order impossible or cannot be meant: nothing may be applied. */
  readonly problems: readonly Problem[];
  /** What can hardly be meant. */
  readonly warnings: readonly Problem[];
};

/** Reads the order of a release from its manifests. All that is wrong is told at once. */
export function order(manifests: readonly LocatedManifest[], { namespace, scopeOf }: OrderOptions): Order {
  const findings: OrderFindings = { problems: [], warnings: [] };
  const known = scopesFromManifests(manifests);
  const entries = manifests.map((manifest): AnnotatedManifest => {
    const ref = refOf(manifest.object);
    const scope = scopeOf?.(ref) ?? known(ref);
    const placed = { ...ref, namespace: scope === "cluster" ? "" : ref.namespace || namespace };
    return { manifest, ref: placed, parsed: readAnnotations(manifest, findings) };
  });
  const refs = entries.map(({ ref }) => ref);
  const find = targetFinder(refs, (ref) => ref, namespace);
  findings.problems.push(
    ...duplicateObjects(entries),
    ...entries.flatMap(conflictingAnnotations),
    ...entries.flatMap((entry) => unresolvedNeeds(entry, find)),
  );
  findings.warnings.push(...entries.flatMap(ineffectiveAnnotations));
  const context = { namespace, kotsAlone: usesOnlyKots(entries) };
  const claimed = entries.map(({ manifest, ref, parsed }) => ({
    item: manifest,
    ref,
    claims: resolveConstraints(ref, { ...parsed, ...withExactKinds(parsed, find) }, context),
  }));
  const ordered = withImpliedNeeds(sorted(claimed), find, findings);
  return { ordered, problems: inFileOrder(findings.problems), warnings: inFileOrder(findings.warnings) };
}

/** Needs with group, version and kind as the objects spell them, so that whoever compares them next need not care. */
function withExactKinds({ needs, deletionNeeds }: ParsedAnnotations, find: TargetFinder<ObjectRef>): ParsedAnnotations {
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

function usesOnlyKots(entries: readonly AnnotatedManifest[]): boolean {
  const dialects = new Set(entries.filter(({ parsed }) => parsed.hook === undefined).flatMap(({ parsed }) => parsed.orderedBy ?? []));
  return dialects.has("kots") && dialects.size === 1;
}

function sorted(items: readonly Ordered<LocatedManifest>[]): readonly Ordered<LocatedManifest>[] {
  return items.toSorted((a, b) => compareStages(a.claims.stage, b.claims.stage) || compareInStage(a, b));
}

/** Adds the needs that the manifests imply, and tells of circles and of waits that cannot end. */
function withImpliedNeeds(
  ordered: readonly Ordered<LocatedManifest>[],
  find: TargetFinder<ObjectRef>,
  { problems, warnings }: OrderFindings,
): readonly Ordered<LocatedManifest>[] {
  const members = new Map(ordered.map((member) => [keyOf(member.ref), member]));
  const memberOf = (key: string) => members.get(key)!;
  const implied = impliedNeeds(ordered.map(({ ref, item }) => ({ ref, object: item.object })));
  const all = new Map<string, readonly ImpliedNeed[]>();
  for (const [key, { ref, item }] of members) all.set(key, implied({ ref, object: item.object }));
  const { kept, dropped, cycles } = resolveCycles(ordered, all, find);
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
function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  const byFile = Map.groupBy(problems, ({ at }) => at.slice(0, at.lastIndexOf(":")));
  return [...byFile.values()].flatMap((list) => list.toSorted((a, b) => lineOf(a) - lineOf(b)));
}

function lineOf({ at }: Problem): number {
  return Number(at.slice(at.lastIndexOf(":") + 1));
}
