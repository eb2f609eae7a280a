import type { ResourceSelector } from "../api/index.ts";
import { labelSelectorOf, labelSelectorText, type KubeObject, type LabelSelector } from "../../core/object/index.ts";
import { compileScript, ScriptFault, type Script, type ScriptEnvironment } from "../script/index.ts";
import { compileCelRules } from "./cel-rules.ts";
import { readMatchStatus } from "./match-status.ts";
import type { MatchResult } from "./evaluation-result.ts";

/** A compiled selector. */
export type SelectorMatcher = MetadataMatcher & {
  /** Why the script does not compile: every object that passes the predicates fails. */
  readonly broken: string | undefined;
  readonly match: (object: KubeObject) => MatchResult;
};

/** A selector without its programs. */
export type MetadataMatcher = {
  /** The result, when namespace, name and labels decide; undefined: the script or a CEL rule does. */
  readonly matchMetadata: (object: KubeObject) => MatchResult | undefined;
};

/** Gives the reason why an object does not match; undefined: it passes. */
type Predicate = (object: KubeObject) => string | undefined;

/**
 * Compiles a selector. An object matches if namespace, name and labels match, the script says so and any CEL rule is true.
 * Objects with a deletionTimestamp do not match.
 */
export function compileSelector(selector: ResourceSelector, title: string, environment: ScriptEnvironment = {}): SelectorMatcher {
  const { matchMetadata } = compileMetadata(selector);
  const { script, broken } = compileEvaluate(selector, title, environment);
  const matchRules = selector.evaluateCEL.length === 0 ? undefined : compileCelRules(selector.evaluateCEL);
  const match = (object: KubeObject): MatchResult => {
    const decided = matchMetadata(object);
    if (decided !== undefined) return decided;
    if (broken !== undefined) return { state: "failed", because: broken };
    const scriptResult = script === undefined ? undefined : runEvaluate(script, object);
    if (scriptResult !== undefined && scriptResult.state !== "matching") return scriptResult;
    const celResult = matchRules?.(object);
    if (celResult === undefined) return scriptResult ?? { state: "matching", message: "" };
    return celResult.state === "matching" && scriptResult !== undefined ? scriptResult : celResult;
  };
  return { broken, match, matchMetadata };
}

/** Compiles what others cannot make dear: everything but the script and the CEL rules. */
export function compileMetadata(selector: ResourceSelector): MetadataMatcher {
  const predicates = [isNotTerminating, ...metadataPredicates(selector), labelPredicate(labelSelectorOf(selector.selector))];
  const matching: MatchResult | undefined = hasPrograms(selector) ? undefined : { state: "matching", message: "" };
  return {
    matchMetadata(object) {
      for (const predicate of predicates) {
        const because = predicate(object);
        if (because !== undefined) return { state: "different", because, message: "" };
      }
      return matching;
    },
  };
}

/** Whether a selector has a script or CEL rules. */
export function hasPrograms({ evaluate, evaluateCEL }: ResourceSelector): boolean {
  return evaluate.trim() !== "" || evaluateCEL.length > 0;
}

type CompiledScript = { readonly script?: Script; readonly broken: string | undefined };

function compileEvaluate({ evaluate }: ResourceSelector, title: string, environment: ScriptEnvironment): CompiledScript {
  if (evaluate.trim() === "") return { broken: undefined };
  try {
    return { script: compileScript(evaluate, title, { global: "obj", environment }), broken: undefined };
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return { broken: error.message };
  }
}

function runEvaluate(script: Script, object: KubeObject): MatchResult {
  try {
    return readMatchStatus(script(object));
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return { state: "failed", because: error.message, isLimit: error.isLimit };
  }
}

const isNotTerminating: Predicate = ({ metadata }) => (metadata.deletionTimestamp === undefined ? undefined : "it is being deleted");

function metadataPredicates({ namespace, name }: ResourceSelector): Predicate[] {
  const predicates: Predicate[] = [];
  if (namespace !== "")
    predicates.push(({ metadata }) =>
      (metadata.namespace ?? "") === namespace ? undefined : namespaceMismatch(metadata.namespace, namespace),
    );
  if (name !== "") predicates.push(({ metadata }) => (metadata.name === name ? undefined : `its name is not ${name}`));
  return predicates;
}

function namespaceMismatch(found: string | undefined, wanted: string): string {
  return found === undefined || found === "" ? `it is in no namespace, not in ${wanted}` : `it is in namespace ${found}, not in ${wanted}`;
}

function labelPredicate({ requirements, matches }: LabelSelector): Predicate {
  return ({ metadata: { labels = {} } }) => (matches(labels) ? undefined : labelMismatch(requirements, labels));
}

function labelMismatch(requirements: LabelSelector["requirements"], labels: Readonly<Record<string, string>>): string {
  const texts = requirements.map((requirement) => labelSelectorText({ requirements: [requirement], matches: () => true }));
  const keys = [...new Set(requirements.map(({ key }) => key))].filter((key) => Object.hasOwn(labels, key));
  const found = keys.map((key) => `${key}=${labels[key]}`).join(",");
  return `its labels do not satisfy ${texts.join(",")}${found === "" ? "" : ` (found ${found})`}`;
}
