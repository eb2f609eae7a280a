import { LimitError } from "../../../core/cost/index.ts";
import { GoError, isTrue } from "../value/index.ts";
import { coerce, inInterface, literalArgument, methodArgument } from "./argument.ts";
import { ExecFailure, failedAt, limitAt, LimitFailure, type NodeRef, type Place } from "./error.ts";
import { asDeclared, callMethod, evalField, methodFor, evalFieldPath } from "./field.ts";
import { nodeAt, type CallSite, type TemplateEntry, type TemplateProgram } from "./exec-state.ts";
import { enter, lookup, pipedName, print } from "./action.ts";
import { rangeOver } from "./range.ts";
import { weighArgument, weighResult } from "./weigh.ts";

function failure(complaint: string, node: NodeRef): ExecFailure {
  return new ExecFailure(complaint, node);
}

/** Adds the position to failures of a template and of the function it called last. Errors of nested templates have one already. */
export function locatedAt(error: unknown, { name, source, program }: TemplateEntry, site: CallSite | undefined): unknown {
  const at = { source, template: name, text: program.text };
  if (error instanceof ExecFailure) {
    const node = nodeAt(program, error.node);
    return node === undefined ? error : failedAt({ ...at, node }, error.message, error.cause);
  }
  const node = site === undefined ? undefined : nodeAt(program, site.node);
  if (error instanceof LimitError) return error.isLocated ? error : limitIn(error, at, program, node === undefined ? undefined : site);
  if (site === undefined || node === undefined || !(error instanceof GoError)) return error;
  return failedAt({ ...at, node }, `error calling ${site.name}: ${error.message}`, error);
}

/** A limit with the place where it was reached: in a loop, in a function, or somewhere in a template. */
function limitIn(error: LimitError, at: Omit<Place, "node">, program: TemplateProgram, site: CallSite | undefined): LimitError {
  if (error instanceof LimitFailure) return limitAt({ ...at, node: nodeAt(program, error.node) }, error.message);
  if (site === undefined) return limitAt(at, error.message);
  return limitAt({ ...at, node: nodeAt(program, site.node) }, `calling ${site.name}: ${error.message}`);
}

function located(error: unknown, entry: TemplateEntry, call: number): unknown {
  return locatedAt(error, entry, entry.program.calls[call]);
}

/** The functions that compiled code calls. */
export const runtime = {
  asDeclared,
  callMethod,
  coerce,
  enter,
  failure,
  evalField,
  inInterface,
  isTrue,
  literalArgument,
  located,
  lookup,
  methodArgument,
  methodFor,
  evalFieldPath,
  pipedName,
  print,
  rangeOver,
  weighArgument,
  weighResult,
} as const;
