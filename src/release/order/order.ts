import { inFileOrder, type Problem } from "../../core/fault/index.ts";
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
  /** The release's namespace, for objects that name none. */
  readonly namespace: string;
  /** The scope of a kind by discovery. Unknown kinds fall back to the CRDs among the manifests, then to the built-in kinds. */
  readonly scopeOf?: (gvk: GroupVersionKind) => ResourceScope | undefined;
  /** Some objects of the release could not be read, so what refers to none may refer to one of them. Default false. */
  readonly isPartial?: boolean;
};

export type Order = {
  /** Sorted by stage, then by rank, kind and document order; hooks by weight and name. */
  readonly ordered: readonly Ordered<LocatedManifest>[];
  /** Errors: nothing may be applied. */
  readonly problems: readonly Problem[];
  /** Likely mistakes. */
  readonly warnings: readonly Problem[];
};

/** Reads the order of a release from its manifests, and reports all problems at once. */
export function order(manifests: readonly LocatedManifest[], { namespace, scopeOf, isPartial = false }: OrderOptions): Order {
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
    ...entries.flatMap((entry) => unresolvedNeeds(entry, find, isPartial)),
  );
  findings.warnings.push(...entries.flatMap(ineffectiveAnnotations));
  const context = { namespace, kotsAlone: usesOnlyKots(entries) };
  const constrained = entries.map(({ manifest, ref, parsed }) => ({
    item: manifest,
    ref,
    constraints: resolveConstraints(ref, { ...parsed, ...withExactKinds(parsed, find) }, context),
  }));
  const ordered = withImpliedNeeds(sorted(constrained), find, findings);
  return { ordered, problems: inFileOrder(findings.problems), warnings: inFileOrder(findings.warnings) };
}

/** Needs with group, version and kind spelled as in the object, so that later comparisons are exact. */
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
  return items.toSorted((a, b) => compareStages(a.constraints.stage, b.constraints.stage) || compareInStage(a, b));
}

/** Adds implied needs, and reports cycles and waits that can never end. */
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
    const needs = [...member.constraints.needs, ...more.map(({ on: _on, hard: _hard, ...need }) => need)];
    return { ...member, constraints: { ...member.constraints, needs } };
  });
}
