import { GoError, isTrue } from "../value/index.ts";
import { coerce, literalArgument, methodArgument } from "./argument.ts";
import { Failure, failedAt } from "./error.ts";
import { asDeclared, callMethod, field, methodFor, path } from "./field.ts";
import type { Entry } from "./frame.ts";
import { enter, lookup, pipedName, print, walk } from "./walk.ts";

function failure(complaint: string, node: number): Failure {
  return new Failure(complaint, node);
}

/**
 * What code of a template throws on with: its own failures and those of the functions it called get their position;
 * what comes from a template it called has one already.
 */
function located(error: unknown, { name, source, program }: Entry, call: number): unknown {
  const at = { source, template: name, text: program.text };
  if (error instanceof Failure) {
    const node = program.nodes[error.node];
    return node === undefined ? error : failedAt({ ...at, node }, error.message, error.cause);
  }
  const site = program.calls[call];
  const node = site === undefined ? undefined : program.nodes[site.node];
  if (site === undefined || node === undefined || !(error instanceof GoError)) return error;
  return failedAt({ ...at, node }, `error calling ${site.name}: ${error.message}`, error);
}

/** All that compiled code reaches. */
export const runtime = {
  asDeclared,
  callMethod,
  coerce,
  enter,
  failure,
  field,
  isTrue,
  literalArgument,
  located,
  lookup,
  methodArgument,
  methodFor,
  path,
  pipedName,
  print,
  walk,
} as const;
