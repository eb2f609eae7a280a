import type { Problem } from "../../core/fault/index.ts";
import { readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";

/** One manifest with the file it came from. */
export type ManifestText = { readonly source: string; readonly text: string };

/** Many manifests in the one text that a record keeps. Models helm pkg/action/action.go renderResources */
export function joinManifests(parts: readonly ManifestText[]): string {
  return parts.map(({ source, text }) => `---\n# Source: ${source.replaceAll(/\s+/g, " ")}\n${text.trimEnd()}\n`).join("");
}

const separator = /^---[ \t]*$/m;
const sourceLine = /^\s*# Source: (.*)\n/;

/** The manifests of such a text, whoever joined them. Models helm pkg/release/v1/util/manifest.go SplitManifests */
export function splitManifests(manifest: string): readonly ManifestText[] {
  const texts = manifest.split(separator).filter((text) => text.trim() !== "");
  return texts.map((text) => {
    const [line = "", source = ""] = sourceLine.exec(text) ?? [];
    return { source, text: `${text.slice(line.length).trim()}\n` };
  });
}

/** The objects of a record's manifests, in their order. What cannot be read is a problem that names its file. */
export function readManifestTexts(parts: readonly ManifestText[]): { manifests: readonly LocatedManifest[]; problems: readonly Problem[] } {
  // What Helm has recorded may have a key twice: it was deployed as it was written last.
  const read = parts.map(({ source, text }) => readManifests(text, source, { duplicateKeys: "last wins" }));
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}
