import { withinCost } from "../../core/cost/index.ts";
import { GoError, LimitError, ParseError, type Engine, type GoMap, type ExecLimits, type TemplateSet } from "../../lang/template/index.ts";
import { executionFailure, parseFailure } from "./template-fault.ts";
import { Inclusions, templateSetName } from "./functions/include.ts";
import { withoutNoValue } from "./no-value.ts";
import { valuesMap } from "./builtin-object/values.ts";

/** A template file with its context. */
export type TemplateFile = {
  readonly text: string;
  /** The built-in objects, shared by all templates of a chart: changes are visible to later templates. */
  readonly context: GoMap;
  /** The folder of the chart's templates. */
  readonly basePath: string;
};

export type RenderTemplatesOptions = {
  /** Missing values are errors. */
  readonly strict?: boolean;
  readonly limits?: ExecLimits;
  /** Which Helm's error messages to use. Default: 4. */
  readonly helm?: 3 | 4;
};

/**
 * Renders templates by path. Files that begin with an underscore are only included. The engine needs Helm's functions
 * (`helmFunctions`). Throws a TemplateFault.
 */
export function renderTemplates(
  engine: Engine,
  files: ReadonlyMap<string, TemplateFile>,
  options: RenderTemplatesOptions = {},
): Map<string, string> {
  const set = engine.set({ name: templateSetName, missingKey: options.strict === true ? "error" : "zero" });
  const paths = inOrder([...files.keys()]);
  for (const path of paths) parse(set, path, files.get(path)!.text);
  return withinCost(options.limits ?? {}, () => executeAll(set, paths, files, options));
}

/** All templates of a chart are under one limit of cost. */
function executeAll(
  set: TemplateSet,
  paths: readonly string[],
  files: ReadonlyMap<string, TemplateFile>,
  options: RenderTemplatesOptions,
): Map<string, string> {
  const inclusions = new Inclusions();
  const rendered = new Map<string, string>();
  for (const path of paths.filter(isRendered)) {
    const { context, basePath } = files.get(path)!;
    context.set(
      "Template",
      valuesMap([
        ["Name", path],
        ["BasePath", basePath],
      ]),
    );
    rendered.set(path, withoutNoValue(execute(set, path, context, { host: inclusions, limits: options.limits }, options.helm ?? 4)));
  }
  return rendered;
}

/** Deeper paths first, and within a depth in reverse order of names: definitions of parent charts win. */
function inOrder(paths: readonly string[]): string[] {
  const depths = new Map(paths.map((path) => [path, depth(path)]));
  return paths.toSorted((a, b) => depths.get(b)! - depths.get(a)! || (a < b ? 1 : -1));
}

function depth(path: string): number {
  return path.split("/").length;
}

function isRendered(path: string): boolean {
  return !path.slice(path.lastIndexOf("/") + 1).startsWith("_");
}

function parse(set: TemplateSet, path: string, text: string): void {
  try {
    set.parse(path, text);
  } catch (error) {
    throw error instanceof ParseError ? parseFailure(path, error) : error;
  }
}

type Execution = { readonly host: Inclusions; readonly limits: ExecLimits | undefined };

function execute(set: TemplateSet, path: string, context: GoMap, options: Execution, helm: 3 | 4): string {
  try {
    return set.execute(
      path,
      context,
      options.limits === undefined ? { host: options.host } : { host: options.host, limits: options.limits },
    );
  } catch (error) {
    throw error instanceof GoError && !(error instanceof LimitError) ? executionFailure(path, error, helm) : error;
  }
}
