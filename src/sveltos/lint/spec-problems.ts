import { Fault, type Problem } from "../../core/fault/index.ts";
import { isFields } from "../../core/object/index.ts";
import type { ProfilePatch, ValidateHealth } from "../api/index.ts";
import { preparePatches, unknownDirectivesIn } from "../deploy/index.ts";
import { brokenRules } from "../evaluate/index.ts";
import { templateProblem } from "../instantiate/index.ts";
import { scriptProblem } from "../script/index.ts";

/** The scripts and rules of health checks that do not compile. */
export function healthScriptProblems(checks: readonly ValidateHealth[]): readonly Problem[] {
  return checks.flatMap(({ name, script, evaluateCEL }, index) => {
    const at = `spec.validateHealths[${index}]`;
    const broken = scriptProblem(script, name);
    const rules = brokenRules(evaluateCEL).map((message) => ({ at: `${at}.evaluateCEL`, message }));
    return broken === undefined ? rules : [{ at: `${at}.script`, message: broken }, ...rules];
  });
}

/** The patches that cannot be parsed, and directives in them that mean nothing. Of one that is a template, only the target is known. */
export function patchProblems(patches: readonly ProfilePatch[]): readonly Problem[] {
  return patches.flatMap((patch, index) => {
    const known = patch.patch.includes("{{") ? { ...patch, patch: "metadata: {}" } : patch;
    if (known !== patch && patch.target === undefined) return [];
    try {
      const prepared = preparePatches([known]);
      return prepared
        .flatMap((each) => (each.type === "strategic" ? unknownDirectivesIn(each.patch) : []))
        .map((message) => ({ at: `spec.patches[${index}]`, message }));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // It is the only patch, and its message begins with its place: `patches[0].target.name: …` or `patches[0]:2: …`.
      const [, place = "", message = error.message] = /^patches\[0\]([.\w]*(?::\d+)?): (.*)$/s.exec(error.message) ?? [];
      return [{ at: `spec.patches[${index}]${place}`, message }];
    }
  });
}

/** Fields with Lua and CEL, in which two braces are no template. */
const scriptFields = new Set(["script", "evaluate", "evaluateCEL", "aggregatedSelection"]);

/** The texts that are no templates though they have `{{`. */
export function templateProblems(value: unknown, at = "spec"): readonly Problem[] {
  if (typeof value === "string") {
    const problem = templateProblem(at, value);
    return problem === undefined ? [] : [problem];
  }
  if (Array.isArray(value)) return value.flatMap((each, index) => templateProblems(each, `${at}[${index}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => (scriptFields.has(key) ? [] : templateProblems(each, `${at}.${key}`)));
}
