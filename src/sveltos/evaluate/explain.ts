import type { EventSource } from "../api/index.ts";
import { apiVersionOf, type KubeObject } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { compileSelector } from "./selector-matcher.ts";
import type { MatchResult } from "./evaluation-result.ts";

/** Says what an EventSource makes of one object, and why. */
export type Explainer = (object: KubeObject) => MatchResult;

/**
 * Prepares an EventSource for questions about single objects, whatever else is in the cluster: the aggregating script is
 * not asked. Of several selectors the first that matches answers; if none does, each says why not.
 */
export function explain({ metadata, selectors }: EventSource, environment: ScriptEnvironment = {}): Explainer {
  const matchers = selectors.map((selector, index) => ({
    ...compileSelector(selector, selectors.length === 1 ? metadata.name : `${metadata.name}[${index}]`, environment),
    apiVersion: apiVersionOf(selector),
    kind: selector.kind,
  }));
  return (object) => {
    const asked = matchers.filter(({ apiVersion, kind }) => kind === object.kind && apiVersion === object.apiVersion);
    return combined(
      asked.map(({ match }) => match(object)),
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
