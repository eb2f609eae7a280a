import type { Exchange } from "../../src/core/exchange/index.ts";
import { answerDifferences } from "../conformance/answer-differences.ts";
import { playSequence } from "./play-sequence.ts";
import type { RandomRequest } from "./random-sequence.ts";

/** The first request that two servers answer differently, and how. `index` is past the end for the final states. */
export type Disagreement = { readonly index: number; readonly lines: readonly string[] };

/** Plays a sequence on two servers, each time in a new stage, and finds where they first disagree. */
export type Comparison = (sequence: readonly RandomRequest[]) => Promise<Disagreement | undefined>;

/** A server, and how it gets a new namespace and group. */
export type SequenceServer = { readonly exchange: Exchange; newStage(): Promise<{ namespace: string; group: string }> };

export function comparisonOf(real: SequenceServer, embedded: SequenceServer): Comparison {
  return async (sequence) => {
    const [there, here] = await Promise.all(
      [real, embedded].map(async ({ exchange, newStage }) => playSequence(exchange, sequence, await newStage())),
    );
    for (const [index, answer] of there!.entries()) {
      const lines = answerDifferences(answer, here![index]);
      if (lines.length > 0) return { index, lines };
    }
    return undefined;
  };
}

const mostPlays = 60;

/** A sequence that still disagrees, from which no single request can be left out (within a number of plays). */
export async function shrunk(
  sequence: readonly RandomRequest[],
  compare: Comparison,
): Promise<{ readonly sequence: readonly RandomRequest[]; readonly disagreement: Disagreement } | undefined> {
  let disagreement = await compare(sequence);
  if (disagreement === undefined) return undefined;
  let smallest = sequence.slice(0, disagreement.index + 1);
  let plays = 1;
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && plays < mostPlays; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && plays < mostPlays;) {
      const fewer = smallest.toSpliced(at, size);
      const found = fewer.length === 0 ? undefined : await compare(fewer);
      plays++;
      if (found === undefined) at += size;
      else [smallest, disagreement] = [fewer.slice(0, found.index + 1), found];
    }
  }
  return { sequence: smallest, disagreement };
}

/** What happened, one request for each line, so that it can be sent again by hand. */
export function reportOf(sequence: readonly RandomRequest[], { index, lines }: Disagreement): string {
  const sent = sequence.map(({ method, path, type, accept, body }) =>
    [method, path, type === undefined ? "" : `(${type})`, accept === undefined ? "" : `accepts ${accept}`, body ?? ""]
      .filter((part) => part !== "")
      .join(" "),
  );
  return [
    ...sent,
    index < sequence.length ? "the last one is answered differently:" : "the objects differ then:",
    ...lines.map((line) => `  ${line}`),
  ].join("\n");
}
