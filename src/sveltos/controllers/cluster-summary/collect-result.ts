import type { AddonProgress, AddonOutcome } from "../../deploy/index.ts";

/** The outcome of a deploy, a withdrawal or a repair, and whether it has deleted anything. */
type CollectedResult = { readonly outcome: AddonOutcome; readonly removed: boolean };

export async function collectResult(progress: AsyncIterable<AddonProgress>): Promise<CollectedResult> {
  let outcome: AddonOutcome | undefined;
  let removed = false;
  for await (const event of progress) {
    if (event.type === "settled") outcome = event.outcome;
    else if (event.event.type === "finished" && event.event.verb === "delete") removed = true;
  }
  if (outcome === undefined) throw new TypeError("progress has ended without an outcome");
  return { outcome, removed };
}
