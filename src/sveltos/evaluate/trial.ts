import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptWorld } from "../script/index.ts";
import { Evaluation } from "./evaluation.ts";
import { explain, type Explanation } from "./explain.ts";
import type { Findings, Verdict } from "./verdict.ts";

/** What an object of a trial should turn out to be. */
export type Expected = "matching" | "different";

export type Candidate = { readonly object: KubeObject; readonly expected: Expected };

/** How the EventSource judged one object of a trial. `isRight`: as it should have. */
export type Tried = { readonly ref: ObjectRef; readonly expected: Expected; readonly verdict: Verdict; readonly isRight: boolean };

/**
 * Tries an EventSource on objects of which it is known whether they should match. Each object is judged by itself; with
 * an aggregating script all of them are one cluster, and those match that the script returns. An object of a kind that no
 * selector is about is then one that the script is expected to make up.
 */
export function attempt(source: EventSource, candidates: readonly Candidate[], world: ScriptWorld = {}): readonly Tried[] {
  const judge = explain(source, world);
  if (source.aggregatedSelection.trim() === "") return candidates.map(({ object, expected }) => tried(object, expected, judge(object)));
  const kinds = new Set(source.selectors.map((selector) => `${apiVersionOf(selector)}/${selector.kind}`));
  const evaluation = new Evaluation(source, { world });
  for (const { object } of candidates) if (kinds.has(`${object.apiVersion}/${object.kind}`)) evaluation.put(object);
  const findings = evaluation.findings();
  return candidates.map(({ object, expected }) => tried(object, expected, chosen(object, findings, judge)));
}

function tried(object: KubeObject, expected: Expected, verdict: Verdict): Tried {
  return { ref: refOf(object), expected, verdict, isRight: verdict.state === expected };
}

function chosen(object: KubeObject, { matches, failures, message }: Findings, judge: Explanation): Verdict {
  const key = keyOf(refOf(object));
  if (matches.some(({ ref }) => keyOf(ref) === key)) return { state: "matching", message };
  const failure = failures.find(({ ref, effect }) => ref === undefined && effect === "kept");
  if (failure !== undefined) return { state: "failed", because: failure.reason };
  const alone = judge(object);
  if (alone.state !== "matching") return alone;
  return { state: "different", because: "aggregatedSelection did not choose it", message };
}
