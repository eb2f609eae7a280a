import { once } from "node:events";
import { RealClock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { openCluster, readContexts, type Cluster } from "../../kube/index.ts";
import type { DashboardFlags } from "../command-group/dashboard.ts";
import { exitCodes } from "../failure.ts";
import { startLocalDashboard, type LocalDashboard } from "../local-dashboard.ts";
import { openBrowser } from "../open-browser.ts";
import type { Terminal } from "../terminal.ts";

/** Requests of a page are not tried for long: it says that a cluster does not answer, and tries again by itself. */
const attempts = 3;

/** Serves the dashboard until the signal aborts. */
export async function dashboard(options: DashboardFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (options.signIn === "token") {
    const { serveSharedDashboard } = await import("../shared-dashboard.ts");
    return serveSharedDashboard(options, terminal, signal);
  }
  const shared = (["address", "tlsCert", "tlsKey", "hosts", "server", "certificateAuthority"] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (shared.length > 0)
    throw new Fault("only a dashboard that visitors sign in to is served to others: add --sign-in token", undefined, { final: true });
  const clusters = new ContextClusters(options);
  const contexts = await clusters.list();
  const served = await startLocalDashboard({ contexts, open: (context) => clusters.open(context), port: options.port, terminal });
  const url = served.url();
  terminal.out(`${terminal.paint.good("ready")} ${url}`);
  terminal.out("the address signs one browser in, once; Ctrl-C ends the dashboard");
  const problem = options.open === true ? await openBrowser(url) : undefined;
  if (problem !== undefined) terminal.err(`the browser could not be started: ${problem}`);
  const { name: current } = contexts.find((each) => each.current) ?? contexts[0] ?? {};
  if (current !== undefined) void carryOn(served, current, terminal, signal);
  if (!signal.aborted) await once(signal, "abort");
  await served.close();
  clusters.close();
  return exitCodes.ok;
}

/** A cluster that does not answer is the page's to tell of, and so is what was interrupted there. */
async function carryOn(served: LocalDashboard, context: string, { out }: Terminal, signal: AbortSignal): Promise<void> {
  const titles = await served.carryOn(context, signal).catch(() => []);
  for (const title of titles) out(`carrying on what a dashboard was doing when it was killed: ${title}`);
}

/** The clusters of a kubeconfig, each opened when somebody looks at it. */
class ContextClusters {
  readonly #options: Pick<DashboardFlags, "kubeconfig" | "context">;
  readonly #opened: (() => void)[] = [];
  readonly #clock = new RealClock();

  constructor(options: Pick<DashboardFlags, "kubeconfig" | "context">) {
    this.#options = options;
  }

  /** All contexts, of which one is looked at first. Where there is no kubeconfig, the cluster that this runs in. */
  async list(): Promise<readonly { readonly name: string; readonly current: boolean }[]> {
    const { kubeconfig, context } = this.#options;
    const contexts = await readContexts(kubeconfig === undefined ? {} : { kubeconfig });
    if (contexts.length === 0 || (context !== undefined && !contexts.some(({ name }) => name === context))) {
      // Says what is missing, and which contexts there are.
      const opened = await this.#open(context);
      return [{ name: opened.context, current: true }];
    }
    return contexts.map(({ name, current }) => ({ name, current: context === undefined ? current : name === context }));
  }

  async open(context: string): Promise<Cluster> {
    return (await this.#open(context === "in-cluster" ? undefined : context)).cluster;
  }

  close(): void {
    for (const close of this.#opened) close();
  }

  async #open(context: string | undefined) {
    const { kubeconfig } = this.#options;
    const opened = await openCluster({
      clock: this.#clock,
      attempts,
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
    this.#opened.push(() => opened.close());
    return opened;
  }
}
