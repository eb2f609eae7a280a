import type { Problem } from "../../core/fault/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import type { NeedTarget } from "./ordering-constraints.ts";
import { annotationProblem } from "./read-annotations.ts";
import type { ParsedAnnotations } from "./annotation-reader.ts";

/** A manifest with its ref and its parsed annotations. */
export type AnnotatedManifest = { readonly manifest: LocatedManifest; readonly ref: ObjectRef; readonly parsed: ParsedAnnotations };

/** Objects that share a name, or have only a generateName. */
export function duplicateObjects(entries: readonly AnnotatedManifest[]): readonly Problem[] {
  const first = new Map<string, LocatedManifest>();
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

/** Annotations of one object that contradict each other. */
export function conflictingAnnotations({ manifest, ref, parsed }: AnnotatedManifest): readonly Problem[] {
  const [first, ...others] = parsed.ranks ?? [];
  const conflicting = parsed.hook === undefined && first !== undefined ? others.filter(({ value }) => value !== first.value) : [];
  const problems = conflicting.map(({ key, value }) =>
    annotationProblem(
      manifest,
      key,
      `is "${value}", but ${first!.key} is "${first!.value}"; expected one place for one object: leave one of them out, or give both the same value`,
    ),
  );
  if (parsed.keep?.delete === true && (parsed.remove === "before" || parsed.remove === "after"))
    problems.push(
      annotationProblem(
        manifest,
        "sluice.dev/remove",
        `is "${parsed.remove}", but another annotation keeps ${titleOf(ref)}: leave one of them out`,
      ),
    );
  return problems;
}

/** Internal needs that match no object, unless the release `isPartial`, and external needs that match one of the release. */
export function unresolvedNeeds(
  { manifest, parsed }: AnnotatedManifest,
  find: (target: NeedTarget) => readonly ObjectRef[],
  isPartial: boolean,
): readonly Problem[] {
  return [...(parsed.needs ?? []), ...(parsed.deletionNeeds ?? [])].flatMap(({ target, external, because }) => {
    const found = find(target);
    const value = manifest.object.metadata.annotations?.[because] ?? "";
    if (external && found.length > 0)
      return [
        annotationProblem(
          manifest,
          because,
          `is ${JSON.stringify(value)}, and ${titleOf(found[0]!)} belongs to the release itself; expected an object from outside: use werf.io/deploy-dependency-<id>: state=ready,kind=${found[0]!.kind},name=${found[0]!.name}`,
        ),
      ];
    if (external || found.length > 0 || isPartial) return [];
    return [
      annotationProblem(
        manifest,
        because,
        `is ${JSON.stringify(value)}, and no object of the release fits that; expected one: check kind and name, or use <id>.external-dependency.werf.io/resource for what is not part of the release`,
      ),
    ];
  });
}

/** Annotations that only work beside another one, or on another kind. */
export function ineffectiveAnnotations({ manifest, ref, parsed }: AnnotatedManifest): readonly Problem[] {
  const isHook = parsed.hook !== undefined;
  const lost: readonly (readonly [string, boolean, string])[] = [
    ["helm.sh/hook-weight", !isHook, "has no effect without helm.sh/hook: use werf.io/weight for what is no hook"],
    ["helm.sh/hook-delete-policy", !isHook, "has no effect without helm.sh/hook: use werf.io/delete-policy for what is no hook"],
    ["kots.io/creation-phase", isHook, "has no effect on a hook: use helm.sh/hook-weight"],
    ["kots.io/hook-delete-policy", ref.kind !== "Job", "has no effect on what is no Job"],
  ];
  const annotations = manifest.object.metadata.annotations ?? {};
  return lost.flatMap(([key, isLost, message]) =>
    isLost && Object.hasOwn(annotations, key) ? [annotationProblem(manifest, key, message)] : [],
  );
}
