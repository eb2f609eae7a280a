import type { AddonStory, Outcome } from "../../deploy/index.ts";

/** What a story comes to, and whether anything was taken away on the way. */
export type Conclusion = { readonly outcome: Outcome; readonly removed: boolean };

export async function conclusionOf(story: AsyncIterable<AddonStory>): Promise<Conclusion> {
  let outcome: Outcome | undefined;
  let removed = false;
  for await (const told of story) {
    if (told.type === "settled") outcome = told.outcome;
    else if (told.event.type === "finished" && told.event.verb === "delete") removed = true;
  }
  if (outcome === undefined) throw new TypeError("a story has no end");
  return { outcome, removed };
}
