import { RealClock, sleep } from "../core/clock/index.ts";
import { actionHandlers, carryOnInterrupted, CodeSignIn, createDashboard, Visitor } from "../dashboard/index.ts";
import type { Cluster } from "../kube/index.ts";
import type { OpenKubeconfig } from "../sveltos/fleet/index.ts";
import { serveHandler } from "../server/index.ts";
import { eventWorkerPool } from "./controller/worker-process.ts";
import { dashboardRunner, finishActions, wasOwnDashboard } from "./dashboard-actions.ts";
import { readPage } from "./read-page.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

type LocalDashboardOptions = {
  /** The clusters that can be looked at, by the names in addresses. */
  readonly contexts: readonly { readonly name: string; readonly current: boolean }[];
  /** Opens the cluster of a context. Called when somebody looks at it, and again after it has failed. */
  readonly open: (context: string) => Promise<Cluster>;
  /** Opens managed clusters by their kubeconfigs. Default: over the network. */
  readonly openManaged?: OpenKubeconfig;
  /** Default: any free port. */
  readonly port?: number;
  /** Learns what the end waits for. */
  readonly terminal: Pick<Terminal, "err">;
};

/** A dashboard on this machine, for whoever has its address. */
export type LocalDashboard = {
  /** The address of a path, with the code that signs one browser in, once. */
  readonly url: (path?: string) => string;
  /** Carries on what a dashboard of this user was doing in a context when it was killed. Returns what that is. */
  readonly carryOn: (context: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Ends it, after what was started on the page. With `isRunOver` pages show the end of the run and say that it is over. */
  readonly close: (options?: { readonly isRunOver?: boolean }) => Promise<void>;
};

/** Views show the end of a run within this time. */
const settleMs = 500;
/** How long a browser may take to hear that the dashboard ends. */
const closingMs = 1000;

/** Serves a dashboard on loopback, with the rights of whoever has started it. */
export async function startLocalDashboard(options: LocalDashboardOptions): Promise<LocalDashboard> {
  const { contexts, open, openManaged, port = 0, terminal } = options;
  const clock = new RealClock();
  const runner = dashboardRunner(clock);
  const actions = (context: string) => runner.listOf({ key: "", context });
  const signIn = new CodeSignIn(
    () => new Visitor({ clock, user: "", contexts, namespaces: [], open, actions, ...(openManaged && { openManaged }) }),
  );
  let hosts: readonly string[] = [];
  const tasks = eventWorkerPool(clock);
  const dashboard = createDashboard({
    clock,
    signIn,
    page: readPage(),
    hosts: () => hosts,
    version,
    actions: actionHandlers(runner),
    tasks,
  });
  const served = await serveHandler(dashboard.handler, { listen: { host: "127.0.0.1", port }, clock });
  hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${served.port}`);
  return {
    url: (path = "/") => `${served.url}${path}#code=${signIn.code}`,
    carryOn: async (context, signal) =>
      carryOnInterrupted(runner, { key: "", user: "", context, cluster: await open(context) }, { wasOurs: wasOwnDashboard, signal }),
    close: async ({ isRunOver = false } = {}) => {
      await finishActions(runner, Number.POSITIVE_INFINITY, terminal);
      if (isRunOver && dashboard.streams() > 0) await sleep(clock, settleMs);
      dashboard.close({ isRunOver });
      await dashboard.ended(closingMs);
      await served.close();
      tasks.close();
    },
  };
}
