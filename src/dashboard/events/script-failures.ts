import { fieldsAt, groupVersionOf, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { ObjectName, ScriptFailure, ScriptLines } from "../api/index.ts";

/** How many lines are shown before and after the one that fails. */
const around = 3;
const maxFailures = 20;
/** Longer lines of a script are cut. */
const maxLength = 300;

/** What the scripts and rules of an EventSource could not judge in a cluster, each with the line that fails. */
export function scriptFailuresOf(source: KubeObject, info: Fields | undefined): readonly ScriptFailure[] {
  return listAt(info, "failures")
    .slice(0, maxFailures)
    .map((failure) => {
      const message = stringAt(failure, "message", "");
      const resource = resourceIn(fieldsAt(failure, "resource"));
      const at = linesAt(source, message);
      return {
        message,
        isSkipped: failure["effect"] === "Skipped",
        ...(resource === undefined ? {} : { resource }),
        ...(at === undefined ? {} : { at }),
      };
    });
}

function resourceIn(reference: Fields): ObjectName | undefined {
  const [kind, name] = [stringAt(reference, "kind"), stringAt(reference, "name")];
  if (kind === undefined || name === undefined) return undefined;
  return { ...groupVersionOf(stringAt(reference, "apiVersion", "")), kind, namespace: stringAt(reference, "namespace", ""), name };
}

/** A script is named in messages by the EventSource and the number of its selector: `web[1]:5: attempt to …`. */
function linesAt(source: KubeObject, message: string): ScriptLines | undefined {
  const [, title = "", line = ""] = /(\S+?):(\d+): /.exec(message) ?? [];
  const script = scriptCalled(title, source);
  const all = script?.text.split("\n") ?? [];
  const at = Number(line);
  if (script === undefined || at < 1 || at > all.length) return undefined;
  const first = Math.max(1, at - around);
  return { path: script.path, line: at, first, lines: all.slice(first - 1, at + around).map((each) => each.slice(0, maxLength)) };
}

/** The script that a title in a message stands for. */
function scriptCalled(title: string, source: KubeObject): { readonly path: string; readonly text: string } | undefined {
  const { name } = source.metadata;
  if (!title.startsWith(name)) return undefined;
  const rest = title.slice(name.length);
  if (rest === ".aggregatedSelection") return textAt(source, "spec.aggregatedSelection", "spec.aggregatedSelection");
  if (rest !== "" && !/^\[\d+\]$/.test(rest)) return undefined;
  const index = rest === "" ? 0 : Number(rest.slice(1, -1));
  const selector = listAt(source, "spec.resourceSelectors")[index];
  return textAt(selector, "evaluate", `spec.resourceSelectors[${index}].evaluate`) ?? textAt(source, "spec.script", "spec.script");
}

function textAt(value: unknown, field: string, path: string): { readonly path: string; readonly text: string } | undefined {
  const text = stringAt(value, field);
  return text === undefined ? undefined : { path, text };
}
