import { Fault } from "../../../core/fault/index.ts";
import { pathMatcher } from "../../../chart/index.ts";
import type { Rendering } from "../render.ts";
import { trimSpace } from "./go-space.ts";
import { splitRenderedFile } from "./split-rendered-file.ts";

type TemplateTextOptions = {
  /** Prints the CRDs in `crds/` first. Default false. */
  readonly includeCrds?: boolean;
  /** Default true. */
  readonly hooks?: boolean;
  /** Includes test hooks. Default true. */
  readonly tests?: boolean;
  /** Only these templates: paths below the chart's folder, with `*` and `?`. */
  readonly showOnly?: readonly string[];
};

/** The output of `helm template`. Models helm pkg/cmd/template.go */
export function templateText(rendering: Rendering, options: TemplateTextOptions = {}): string {
  const { includeCrds = false, showOnly = [] } = options;
  const text = `${trimSpace(manifestText(rendering, { includeCrds }))}\n${shownHooks(rendering, options).map(sourced).join("")}`;
  return showOnly.length === 0 ? text : chosenFrom(text, showOnly);
}

/** The same in parts: what comes from each file, under the file's path. Models helm pkg/action/action.go writeToFile */
export function templateFiles(rendering: Rendering, options: TemplateTextOptions = {}): ReadonlyMap<string, string> {
  const { includeCrds = false, showOnly = [] } = options;
  const files = new Map<string, string>();
  for (const part of [...(includeCrds ? rendering.crds : []), ...rendering.manifests, ...shownHooks(rendering, options)])
    files.set(part.file, `${files.get(part.file) ?? ""}${sourced(part)}`);
  if (showOnly.length === 0) return files;
  const chosen = showOnly.flatMap((pattern) => {
    const matches = pathMatcher(pattern.replaceAll("\\", "/"));
    const found = [...files].filter(([file]) => matches(file.slice(file.indexOf("/") + 1)));
    if (found.length === 0) throw missingTemplate(pattern);
    return found;
  });
  return new Map(chosen);
}

function shownHooks({ hooks }: Rendering, options: TemplateTextOptions): Rendering["hooks"] {
  if (options.hooks === false) return [];
  return hooks.filter(({ events }) => options.tests !== false || !events.includes("test"));
}

function missingTemplate(pattern: string): Fault {
  return new Fault(`could not find template ${pattern} in chart`, undefined, { final: true });
}

/** The manifests of a chart in the text that a release records. */
export function manifestText({ manifests, crds }: Rendering, { includeCrds }: { readonly includeCrds: boolean }): string {
  return [...(includeCrds ? crds : []), ...manifests].map(sourced).join("");
}

function sourced({ file, text }: { readonly file: string; readonly text: string }): string {
  return `---\n# Source: ${file}\n${text}\n`;
}

function chosenFrom(text: string, patterns: readonly string[]): string {
  const manifests = splitRenderedFile(text, 4);
  return patterns
    .flatMap((pattern) => {
      const matches = pathMatcher(pattern.replaceAll("\\", "/"));
      const found = manifests.filter((manifest) => matches(/# Source: [^/]+\/(.+)/.exec(manifest)?.[1] ?? ""));
      if (found.length === 0) throw missingTemplate(pattern);
      return found.map((manifest) => `---\n${manifest}\n`);
    })
    .join("");
}
