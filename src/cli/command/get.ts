import { hooksText, metadataText, notesText, valuesText, wholeText } from "../../release/inspect/index.ts";
import type { Revision } from "../../release/record/index.ts";
import { readRevision } from "../../release/status/index.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import type { GetFlags, GetMetadataFlags, GetValuesFlags } from "../command-group/get.ts";

/** Prints the values of a revision. */
export function getValues(name: string, options: GetValuesFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, all } = options;
  return printRevision(name, options, terminal, signal, (revision) => valuesText(revision, output, { all, warn: warnOn(terminal) }));
}

/** Prints the manifests of a revision as they are stored, with their secrets. */
export function getManifest(name: string, options: GetFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return printRevision(name, options, terminal, signal, ({ manifest }) => manifest);
}

/** Prints the manifests of a revision's hooks. */
export function getHooks(name: string, options: GetFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return printRevision(name, options, terminal, signal, hooksText);
}

/** Prints the notes of a revision's chart. */
export function getNotes(name: string, options: GetFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return printRevision(name, options, terminal, signal, notesText);
}

/** Prints what the record says of a revision and its chart. */
export function getMetadata(name: string, options: GetMetadataFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const named = numberOf(options) !== undefined;
  return printRevision(name, options, terminal, signal, (revision) => metadataText(revision, options.output, { named }));
}

/** Prints all of that. */
export function getAll(name: string, options: GetFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return printRevision(name, options, terminal, signal, (revision) => wholeText(revision, { warn: warnOn(terminal) }));
}

/** Prints the text of one revision, unless it has none. */
async function printRevision(
  name: string,
  options: GetFlags,
  terminal: Terminal,
  signal: AbortSignal,
  textOf: (revision: Revision) => string | undefined,
): Promise<number> {
  return withCluster(options, terminal, async ({ cluster }) => {
    const revision = await readRevision({ name, namespace: cluster.namespace }, numberOf(options), cluster, { signal });
    const text = textOf(revision);
    if (text !== undefined) terminal.out(text);
    return exitCodes.ok;
  });
}

/** The revision that the flags name; undefined for the latest. */
function numberOf({ revision = 0 }: GetFlags): number | undefined {
  return revision === 0 ? undefined : revision;
}

function warnOn({ err, paint }: Terminal): (warning: string) => void {
  return (warning) => err(paint.warn(`warning: ${warning}`));
}
