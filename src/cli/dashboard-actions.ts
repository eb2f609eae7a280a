import type { Clock } from "../core/clock/index.ts";
import { ActionRunner } from "../dashboard/index.ts";
import { hasDied, processIdentity } from "./process-identity.ts";
import type { Terminal } from "./terminal.ts";

const command = "sluice dashboard";

/** Runs what visitors of a dashboard start. Those who wait for a release are told for whom it is at work. */
export function dashboardRunner(clock: Clock): ActionRunner {
  return new ActionRunner({ clock, hasDied, identityFor });
}

/** Names of users may have any characters, and a Lease is shown on terminals. */
function identityFor(user: string): string {
  return processIdentity(user === "" ? command : `${command} for ${user.replaceAll(/[^\w@.:/-]/g, "?")}`);
}

/** Whether the holder of a Lease was a dashboard of this user on this machine, which has ended. */
export function wasOwnDashboard(holder: string): boolean {
  return holder.includes(`, ${command}, `) && hasDied(holder);
}

/** Waits for what visitors have started, and says so. What has not ended after the time is stopped in order. */
export async function finishActions(runner: ActionRunner, graceMs: number, { err }: Pick<Terminal, "err">): Promise<void> {
  const { running } = runner;
  if (running.length > 0)
    err(`waiting for what was started on the page: ${running.join("; ")} (Ctrl-C ends it now, and the next dashboard carries it on)`);
  await runner.finish(graceMs);
}
