import { once } from "node:events";
import { RealClock, type Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { actionHandlers, createDashboard, TokenSignIn } from "../dashboard/index.ts";
import { openEndpoint } from "../kube/index.ts";
import { CertificateFiles, serveHandler } from "../server/index.ts";
import { dashboardRunner, finishActions } from "./dashboard-actions.ts";
import type { DashboardFlags } from "./command-group/dashboard.ts";
import { eventWorkerPool } from "./controller/worker-process.ts";
import { exitCodes } from "./failure.ts";
import { readPage } from "./read-page.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

const attempts = 3;
/** A pod is killed 30 s after it was told to end. What is stopped in order before that can be carried on at once. */
const actionGraceMs = 25_000;
/** How a forwarded port is called, whatever its number is. */
const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Serves a dashboard to visitors who sign in with tokens of their own, until the signal aborts. It has no rights itself. */
export async function serveSharedDashboard(options: DashboardFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { kubeconfig, context, server, certificateAuthority: authority, hosts = [], address, sessionLength } = options;
  const clock = new RealClock();
  const certificate = await openCertificate(options, clock, terminal);
  const endpoint = await openEndpoint({
    clock,
    attempts,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(server === undefined ? {} : { server }),
    ...(authority === undefined ? {} : { authority }),
  });
  const runner = dashboardRunner(clock);
  const actionsOf = (user: string) => runner.listOf({ key: user, context: endpoint.context });
  const connectAs = (token: string) => endpoint.connectAs(token);
  const tasks = eventWorkerPool(clock);
  const dashboard = createDashboard({
    clock,
    signIn: new TokenSignIn({ clock, context: endpoint.context, connectAs, actionsOf, maxSessionMs: sessionLength }),
    page: readPage(),
    hosts: () => [...loopbackNames, ...hosts],
    version,
    compress: true,
    tasks,
    actions: actionHandlers(runner),
  });
  const served = await serveHandler(dashboard.handler, {
    listen: address ?? { host: "127.0.0.1", port: options.port },
    clock,
    ...(certificate === undefined ? {} : { certificate }),
  });
  terminal.out(`${terminal.paint.good("ready")} ${served.url} for visitors with tokens of ${endpoint.server}`);
  if (!signal.aborted) await once(signal, "abort");
  await finishActions(runner, actionGraceMs, terminal);
  dashboard.close();
  await served.close();
  tasks.close();
  certificate?.close();
  endpoint.close();
  return exitCodes.ok;
}

async function openCertificate(
  { tlsCert: cert, tlsKey: key }: Pick<DashboardFlags, "tlsCert" | "tlsKey">,
  clock: Clock,
  { err }: Terminal,
): Promise<CertificateFiles | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new Fault("--tls-cert and --tls-key go together", undefined, { final: true });
  return CertificateFiles.open({ cert, key, clock, onProblem: err });
}
