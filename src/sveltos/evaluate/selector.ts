import type { ResourceSelector } from "../api/index.ts";
import { labelSelectorOf, labelSelectorText, type KubeObject, type LabelSelector } from "../../core/object/index.ts";
import { compileScript, ScriptFault, type Script, type ScriptWorld } from "../script/index.ts";
import { celJudge } from "./cel-rules.ts";
import { verdictOf } from "./match-status.ts";
import type { Verdict } from "./verdict.ts";

/** A selector that is ready to be asked about objects of its kind. */
export type Judge = {
  /** What is wrong with the selector itself, so that it can judge none of those that get as far as its script. */
  readonly broken: string | undefined;
  readonly judge: (object: KubeObject) => Verdict;
};

/** Says why an object is not for this selector, or nothing. */
type Sieve = (object: KubeObject) => string | undefined;

/**
 * Prepares a selector: namespace, name and labels have to fit, the script and (any of) the CEL rules have to say yes.
 * Objects that are being deleted count as gone.
 */
export function judgeFor(selector: ResourceSelector, title: string, world: ScriptWorld = {}): Judge {
  const sieves = [terminating, ...placeSieves(selector), labelSieve(labelSelectorOf(selector.selector))];
  const { script, broken } = scriptFor(selector, title, world);
  const askRules = selector.evaluateCEL.length === 0 ? undefined : celJudge(selector.evaluateCEL);
  const judge = (object: KubeObject): Verdict => {
    for (const sieve of sieves) {
      const because = sieve(object);
      if (because !== undefined) return { state: "different", because, message: "" };
    }
    if (broken !== undefined) return { state: "failed", because: broken };
    const said = script === undefined ? undefined : askScript(script, object);
    if (said !== undefined && said.state !== "matching") return said;
    const ruled = askRules?.(object);
    if (ruled === undefined) return said ?? { state: "matching", message: "" };
    return ruled.state === "matching" && said !== undefined ? said : ruled;
  };
  return { broken, judge };
}

type Prepared = { readonly script?: Script; readonly broken: string | undefined };

function scriptFor({ evaluate }: ResourceSelector, title: string, world: ScriptWorld): Prepared {
  if (evaluate.trim() === "") return { broken: undefined };
  try {
    return { script: compileScript(evaluate, title, { global: "obj", world }), broken: undefined };
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return { broken: error.message };
  }
}

function askScript(script: Script, object: KubeObject): Verdict {
  try {
    return verdictOf(script(object));
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return { state: "failed", because: error.message, isLimit: error.isLimit };
  }
}

const terminating: Sieve = ({ metadata }) => (metadata.deletionTimestamp === undefined ? undefined : "it is being deleted");

function placeSieves({ namespace, name }: ResourceSelector): Sieve[] {
  const sieves: Sieve[] = [];
  if (namespace !== "")
    sieves.push(({ metadata }) => ((metadata.namespace ?? "") === namespace ? undefined : elsewhere(metadata.namespace, namespace)));
  if (name !== "") sieves.push(({ metadata }) => (metadata.name === name ? undefined : `its name is not ${name}`));
  return sieves;
}

function elsewhere(found: string | undefined, wanted: string): string {
  return found === undefined || found === "" ? `it is in no namespace, not in ${wanted}` : `it is in namespace ${found}, not in ${wanted}`;
}

function labelSieve({ requirements, matches }: LabelSelector): Sieve {
  return ({ metadata: { labels = {} } }) => (matches(labels) ? undefined : unmet(requirements, labels));
}

function unmet(requirements: LabelSelector["requirements"], labels: Readonly<Record<string, string>>): string {
  const texts = requirements.map((requirement) => labelSelectorText({ requirements: [requirement], matches: () => true }));
  const keys = [...new Set(requirements.map(({ key }) => key))].filter((key) => Object.hasOwn(labels, key));
  const found = keys.map((key) => `${key}=${labels[key]}`).join(",");
  return `its labels do not satisfy ${texts.join(",")}${found === "" ? "" : ` (found ${found})`}`;
}
