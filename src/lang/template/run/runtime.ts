import { GoError, isTrue } from "../value/index.ts";
import { coerce, literalArgument, methodArgument } from "./argument.ts";
import { Failure, failedAt, type Place } from "./error.ts";
import { asDeclared, callMethod, field, methodFor, path } from "./field.ts";
import { nodeAt, type CallSite, type Entry } from "./frame.ts";
import { enter, lookup, pipedName, print, walk } from "./walk.ts";

function failure(complaint: string, node: Place): Failure {
  return new Failure(complaint, node);
}

/**
 * What a template throws on with: its own failures and those of the function it called last get their position; what comes
 * from a template it called has one already.
 */
export function locatedAt(error: unknown, { name, source, program }: Entry, site: CallSite | undefined): unknown {
  const at = { source, template: name, text: program.text };
  if (error instanceof Failure) {
    const node = nodeAt(program, error.node);
    return node === undefined ? error : failedAt({ ...at, node }, error.message, error.cause);
  }
  const node = site === undefined ? undefined : nodeAt(program, site.node);
  if (site === undefined || node === undefined || !(error instanceof GoError)) return error;
  return failedAt({ ...at, node }, `error calling ${site.name}: ${error.message}`, error);
}

function located(error: unknown, entry: Entry, call: number): unknown {
  return locatedAt(error, entry, entry.program.calls[call]);
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
