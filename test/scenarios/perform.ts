import assert from "node:assert/strict";
import type { Ground } from "./ground.ts";
import { objectionsTo } from "./judge.ts";
import { lineOf } from "./line.ts";
import type { Act, Scenario } from "./scenario.ts";
import { Theatre, type Played } from "./theatre.ts";

export type Performance = { readonly played: readonly Played[]; readonly theatre: Theatre };

/** Plays a scenario from beginning to end and asserts after each act what it says must then be true. */
export async function perform(scenario: Scenario, ground: Ground, namespace?: string): Promise<Performance> {
  const theatre = await Theatre.open(scenario, ground, namespace);
  try {
    const played: Played[] = [];
    for (const [at, act] of scenario.acts.entries()) {
      const one = await theatre.play(act);
      played.push(one);
      await assertAsExpected(act, one, theatre, ground, at);
    }
    return { played, theatre };
  } finally {
    if (ground.shared) await ground.until(theatre.strike());
    theatre.close();
  }
}

/** Streams may be late in bringing what has happened, so what is not as expected is looked at again a few times. */
async function assertAsExpected(act: Act, played: Played, theatre: Theatre, ground: Ground, at: number): Promise<void> {
  await ground.catchUp();
  let objections = await objectionsTo(act, played, theatre);
  for (let turn = 1; objections.length > 0 && turn < ground.patience; turn++) {
    await ground.catchUp();
    objections = await objectionsTo(act, played, theatre);
  }
  if (objections.length > 0) assert.fail(report(act, at, objections, played));
  await ground.until(act.expect?.more?.(theatre.hands) ?? Promise.resolve());
}

function report(act: Act, at: number, objections: readonly string[], { seen, story }: Played): string {
  const parts = [
    `act ${at + 1}, ${act.do}:`,
    ...objections.map((text) => `- ${text}`),
    "seen in the cluster:",
    ...seen().map((text) => `  ${text}`),
    "told:",
    ...story.map((event) => `  ${lineOf(event)}`),
  ];
  return parts.join("\n");
}
