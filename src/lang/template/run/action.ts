import { charge } from "../../../core/cost/index.ts";
import { isUnprintable, printable } from "../print/printable.ts";
import { sprintValue } from "../print/print.ts";
import { quote } from "../print/quote.ts";
import { nodeText } from "../parse/node-text.ts";
import { GoError, typeName, type GoValue } from "../value/index.ts";
import { ExecFailure, type NodeRef } from "./error.ts";
import { nodeAt, type ExecState, type TemplateEntry } from "./exec-state.ts";

/** The output of an action for a value that is not a string. */
export function print(value: GoValue, node: NodeRef, { program }: TemplateEntry): string {
  if (value === undefined || value === null) return "<no value>";
  const shown = printable(value);
  if (isUnprintable(shown)) {
    const action = nodeAt(program, node);
    throw new ExecFailure(`can't print ${action === undefined ? "" : nodeText(action)} of type ${typeName(shown)}`, node);
  }
  try {
    return sprintValue(shown);
  } catch (error) {
    throw error instanceof GoError ? new ExecFailure(error.message, node) : error;
  }
}

/** Looks up the template of a `template` action. */
export function lookup(state: ExecState, name: string, node: NodeRef): TemplateEntry {
  const entry = state.lookup(name);
  if (entry === undefined) throw new ExecFailure(`template ${quote(name)} not defined`, node);
  if (state.depth >= state.maxDepth) throw new ExecFailure("exceeded maximum template depth (100000)", node);
  return entry;
}

/** Executes another template. */
export function enter(state: ExecState, entry: TemplateEntry, dot: GoValue): string {
  state.depth++;
  const text = entry.program.run(state, dot, entry);
  state.depth--;
  charge(text.length);
  if (--state.budget < 0 || text.length > state.maxOutput) state.check(text.length);
  return text;
}

/** How `call` names a piped value. Models reflect.Value.String. */
export function pipedName(value: GoValue): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "<invalid Value>" : `<${typeName(value)} Value>`;
}
