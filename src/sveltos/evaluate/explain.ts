import type { EventSource } from "../api/index.ts";
import { apiVersionOf, type KubeObject } from "../../core/object/index.ts";
import type { ScriptWorld } from "../script/index.ts";
import { judgeFor } from "./selector.ts";
import type { Verdict } from "./verdict.ts";

/** Says what an EventSource makes of one object, and why. */
export type Explanation = (object: KubeObject) => Verdict;

/**
 * Prepares an EventSource for questions about single objects, whatever else is in the cluster: the aggregating script is
 * not asked. Of several selectors the first that matches answers; if none does, each says why not.
 */
export function explain({ metadata, selectors }: EventSource, world: ScriptWorld = {}): Explanation {
  const judges = selectors.map((selector, index) => ({
    ...judgeFor(selector, selectors.length === 1 ? metadata.name : `${metadata.name}[${index}]`, world),
    apiVersion: apiVersionOf(selector),
    kind: selector.kind,
  }));
  return (object) => {
    const asked = judges.filter(({ apiVersion, kind }) => kind === object.kind && apiVersion === object.apiVersion);
    return summary(
      asked.map(({ judge }) => judge(object)),
      object,
    );
  };
}

function summary(verdicts: readonly Verdict[], { apiVersion, kind }: KubeObject): Verdict {
  const [only] = verdicts;
  if (only === undefined) return { state: "different", because: `no selector is about ${apiVersion} ${kind}`, message: "" };
  if (verdicts.length === 1) return only;
  const decisive = verdicts.find(({ state }) => state === "matching");
  if (decisive !== undefined) return decisive;
  const because = [...new Set(verdicts.flatMap((verdict) => (verdict.state === "matching" ? [] : [verdict.because])))].join("; ");
  if (verdicts.some(({ state }) => state === "failed")) return { state: "failed", because };
  return { state: "different", because, message: "" };
}
