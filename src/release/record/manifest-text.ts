import type { Problem } from "../../core/fault/index.ts";
import { readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";

/** One manifest with its source file. */
export type ManifestText = { readonly source: string; readonly text: string };

/** Joins manifests into the text of a record. Models helm pkg/action/action.go renderResources */
export function joinManifests(parts: readonly ManifestText[]): string {
  return parts.map(({ source, text }) => `---\n# Source: ${source.replaceAll(/\s+/g, " ")}\n${text.trimEnd()}\n`).join("");
}

const separator = /^---[ \t]*$/m;
const sourceLine = /^\s*# Source: (.*)\n/;

/** Splits the text of a record into manifests. Models helm pkg/release/v1/util/manifest.go SplitManifests */
export function splitManifests(manifest: string): readonly ManifestText[] {
  const texts = manifest.split(separator).filter((text) => text.trim() !== "");
  return texts.map((text) => {
    const [line = "", source = ""] = sourceLine.exec(text) ?? [];
    return { source, text: `${text.slice(line.length).trim()}\n` };
  });
}

/** Parses the manifests of a record in order. Problems name the source file. */
export function readManifestTexts(parts: readonly ManifestText[]): { manifests: readonly LocatedManifest[]; problems: readonly Problem[] } {
  // Helm accepts duplicate keys, and the last one wins.
  const read = parts.map(({ source, text }) => readManifests(text, source, { duplicateKeys: "last wins", isGenerated: true }));
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}
