import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { Fault } from "../core/fault/index.ts";
import type { SourceReaders } from "../release/load/index.ts";

/** Longest answer that is taken for a manifest. */
const maxResponseBytes = 64 * 2 ** 20;

/** Standard input and the web, as sources of manifests. */
export const sourceReaders: SourceReaders = {
  // Somebody who has typed nothing yet can still leave.
  stdin: (signal) => text(addAbortSignal(signal, process.stdin)),
  async fetch(url, signal) {
    const response = await fetch(url, { signal, redirect: "follow" }).catch((error: unknown) => {
      throw signal.aborted ? error : new Fault(unreachableText(error), undefined, { final: true });
    });
    if (!response.ok)
      throw new Fault(`the server answered ${response.status} ${response.statusText}: check the address`, undefined, { final: true });
    return textWithin(maxResponseBytes, response);
  },
};

async function textWithin(most: number, { body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > most) throw new Fault("the answer is larger than 64 MiB: not a manifest", undefined, { final: true });
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** `fetch` says only that it failed; what happened is in the cause. */
function unreachableText(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const what = code ?? (cause instanceof Error ? cause.message : String(error));
  return `nothing can be read from there (${what}): check the address and the network`;
}
