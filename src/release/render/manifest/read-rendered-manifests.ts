import { BadInput } from "../../../core/fault/index.ts";
import { titleOf } from "../../../core/object/index.ts";
import { readManifests, type LocatedManifest } from "../../../lang/yaml/index.ts";
import type { Rendering } from "../render.ts";
import type { RenderedManifest } from "./sort-manifests.ts";

/** The objects of a chart, with their templates as positions. */
type ChartManifests = {
  /** The CRDs of `crds/`, which belong to no release. */
  readonly crds: readonly LocatedManifest[];
  /** Including hooks. */
  readonly manifests: readonly LocatedManifest[];
};

/** Parses rendered manifests, and throws all problems together. Of a duplicate key the last one wins, as in Helm: many charts have them. */
export function readRenderedManifests({ crds, manifests, hooks }: Pick<Rendering, "crds" | "manifests" | "hooks">): ChartManifests {
  const brought = crds.map(({ file, text }) => readManifests(text, file, { duplicateKeys: "last wins" }));
  const rendered = [...manifests, ...hooks].map(readRendered);
  const problems = [...brought, ...rendered].flatMap((each) => each.problems);
  if (problems.length > 0) throw new BadInput(problems);
  return { crds: brought.flatMap((each) => each.manifests), manifests: rendered.flatMap((each) => each.manifests) };
}

/** A line of the rendered text is none of the template, so a problem has the template's file and the object. */
function readRendered({ file, text, head: { kind, metadata } }: RenderedManifest): ReturnType<typeof readManifests> {
  const { manifests, problems } = readManifests(text, file, { duplicateKeys: "last wins" });
  const title = kind === "" ? "" : `${titleOf({ kind, name: metadata?.name ?? "" })}: `;
  return { manifests, problems: problems.map(({ message }) => ({ at: file, message: `${title}${message}` })) };
}
