import type { AddonProgress, AddonOutcome } from "../../deploy/index.ts";

/** What a story comes to, and whether anything was taken away on the way. */
export type CollectedResult = { readonly outcome: AddonOutcome; readonly removed: boolean };

export async function collectResult(progress: AsyncIterable<AddonProgress>): Promise<CollectedResult> {
  let outcome: AddonOutcome | undefined;
  let removed = false;
  for await (const told of progress) {
    if (told.type === "settled") outcome = told.outcome;
    else if (told.event.type === "finished" && told.event.verb === "delete") removed = true;
  }
  if (outcome === undefined) throw new TypeError("a story has no end");
  return { outcome, removed };
}
