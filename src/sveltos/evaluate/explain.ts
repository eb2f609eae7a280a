import type { EventSource } from "../api/index.ts";
import { apiVersionOf, type KubeObject } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { compileSelector } from "./selector-matcher.ts";
import type { MatchResult } from "./evaluation-result.ts";

/** Evaluates one object and gives the reason. */
export type Explainer = (object: KubeObject) => MatchResult;

/**
 * Compiles an EventSource to explain single objects, without the aggregating script. Of several selectors the first that
 * matches gives the result; if none does, the reasons of all are joined.
 */
export function explain({ metadata, selectors }: EventSource, environment: ScriptEnvironment = {}): Explainer {
  const matchers = selectors.map((selector, index) => ({
    ...compileSelector(selector, selectors.length === 1 ? metadata.name : `${metadata.name}[${index}]`, environment),
    apiVersion: apiVersionOf(selector),
    kind: selector.kind,
  }));
  return (object) => {
    const ofKind = matchers.filter(({ apiVersion, kind }) => kind === object.kind && apiVersion === object.apiVersion);
    return combined(
      ofKind.map(({ match }) => match(object)),
      object,
    );
  };
}

function combined(results: readonly MatchResult[], { apiVersion, kind }: KubeObject): MatchResult {
  const [only] = results;
  if (only === undefined) return { state: "different", because: `no selector is about ${apiVersion} ${kind}`, message: "" };
  if (results.length === 1) return only;
  const decisive = results.find(({ state }) => state === "matching");
  if (decisive !== undefined) return decisive;
  const because = [...new Set(results.flatMap((result) => (result.state === "matching" ? [] : [result.because])))].join("; ");
  if (results.some(({ state }) => state === "failed")) return { state: "failed", because };
  return { state: "different", because, message: "" };
}
