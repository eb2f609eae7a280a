import type { Milestone, Story } from "../release/index.ts";
import type { Plan } from "../release/plan/index.ts";
import { badEnding, goodEnding } from "../view/index.ts";
import { exitCodes } from "./failure.ts";
import type { Teller } from "./teller.ts";
import type { Terminal } from "./terminal.ts";

type Done = Extract<Milestone, { type: "done" }>;

export type Following = {
  readonly output: "text" | "ndjson";
  readonly teller: Teller;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
};

/** Tells a story to its end, and says how it came out. Answers the exit code. */
export async function follow(story: AsyncIterable<Story>, { output, teller, terminal, signal }: Following): Promise<number> {
  let plan: Plan | undefined;
  let done: Done | undefined;
  try {
    for await (const event of story) {
      if (event.type === "planned") plan = event.plan;
      if (event.type === "done") done = event;
      teller.tell(event);
    }
  } catch (error) {
    // Stopped before there was a plan to stop.
    if (!signal.aborted) throw error;
  } finally {
    teller.end();
  }
  if (done !== undefined && plan !== undefined && done.status !== "failed" && done.status !== "stopped") {
    if (output === "text") for (const line of goodEnding(done, plan, terminal.paint)) terminal.out(line);
    return exitCodes.ok;
  }
  for (const line of badEnding(reasonOf(done, signal), teller.rows(), terminal.paint)) terminal.err(line);
  return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}

function reasonOf(done: Done | undefined, signal: AbortSignal): string {
  if (signal.aborted || done?.status === "stopped") return "interrupted";
  return done?.because ?? "failed";
}
