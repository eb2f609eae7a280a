import { pathOf } from "../dashboard/api/index.ts";
import type { Release } from "../release/record/index.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { startLocalDashboard, type LocalDashboard } from "./local-dashboard.ts";
import { openBrowser } from "./open-browser.ts";
import type { Terminal } from "./terminal.ts";

/** Serves a dashboard of the cluster of a run on loopback, and says at which address the release is seen. */
export async function startRunDashboard(
  { cluster, name: context }: ClusterSession,
  release: Release,
  { open = false }: { readonly open?: boolean },
  terminal: Terminal,
): Promise<LocalDashboard> {
  const dashboard = await startLocalDashboard({ contexts: [{ name: context, current: true }], open: async () => cluster, terminal });
  await announce(dashboard.url(pathOf({ type: "release", context, ...release })), open, terminal);
  return dashboard;
}

/** Says where the dashboard is, beside what a program may read, and opens it when that is asked for. */
export async function announce(url: string, open: boolean, { err, paint }: Terminal): Promise<void> {
  err(`${paint.good("dashboard")} ${url}`);
  const problem = open ? await openBrowser(url) : undefined;
  if (problem !== undefined) err(paint.warn(`warning: the browser could not be started: ${problem}`));
}
