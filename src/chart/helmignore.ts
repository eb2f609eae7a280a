import { Fault } from "../core/fault/index.ts";
import { pathMatcher } from "./path-matcher.ts";

/** Whether a path of a chart's folder is not part of the chart. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean;

type Rule = { readonly negated: boolean; readonly foldersOnly: boolean; readonly matches: (path: string) => boolean };

/** The pattern that every chart ignores. Models helm pkg/ignore */
const always = "templates/.?*";

/**
 * Parses a `.helmignore`. A trap: a negated rule does not undo an earlier rule. It ignores everything that it does not
 * match, as Helm does. Models helm pkg/ignore/rules.go
 */
export function parseHelmIgnore(text: string): IgnoreRules {
  const rules = [...text.replace(/^\uFEFF/, "").split(/\r?\n/), always].flatMap(ruleOf);
  return (path, isFolder) => {
    for (const { negated, foldersOnly, matches } of rules) {
      const fits = !(foldersOnly && !isFolder) && matches(path);
      if (negated !== fits) return true;
    }
    return false;
  };
}

function ruleOf(line: string): readonly Rule[] {
  const rule = line.trim();
  if (rule === "" || rule.startsWith("#")) return [];
  if (rule.includes("**")) throw new Fault("double-star (**) syntax is not supported", undefined, { final: true });
  const negated = rule.startsWith("!");
  const foldersOnly = rule.endsWith("/");
  const pattern = rule.slice(negated ? 1 : 0, foldersOnly ? -1 : undefined);
  if (pattern.startsWith("/")) return [{ negated, foldersOnly, matches: pathMatcher(pattern.slice(1)) }];
  const matches = pathMatcher(pattern);
  if (pattern.includes("/")) return [{ negated, foldersOnly, matches }];
  return [{ negated, foldersOnly, matches: (path) => matches(path.slice(path.lastIndexOf("/") + 1)) }];
}
