import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { kubeconfigFor, makeCredentials, writeCredentials, type ClusterCredentials } from "./cluster-credentials.ts";
import { makeTemporaryFolder, removeStaleFolders } from "./temporary-folder.ts";
import { freePorts, startControlPlaneProcess, type ControlPlaneProcess } from "./control-plane-process.ts";

/** A real control plane on loopback that is ready. */
export type RunningCluster = {
  readonly name: string;
  readonly server: string;
  /** A file, readable by its owner alone. */
  readonly kubeconfig: string;
  readonly credentials: ClusterCredentials;
  /** The client URL of etcd. */
  readonly etcd: string;
  /** The process that runs a component now, such as `kube-apiserver`. */
  pidOf(component: string): number;
  /** Stops the API server, runs `meanwhile`, starts it again on the same port and waits until it is ready. */
  restartApiServer(meanwhile?: () => Promise<void>): Promise<void>;
  /** The same with etcd. Only the cluster whose own it is can do it. */
  restartEtcd(meanwhile?: () => Promise<void>): Promise<void>;
  /** Stops every process, and removes all files of the cluster. Calling it again does nothing. */
  stop(): Promise<void>;
};

const clock = new RealClock();
const readyWithinMs = 90_000;

type StartOptions = {
  readonly name?: string;
  /** The etcd of another cluster, which this one uses with a prefix of its own. Default: its own etcd. */
  readonly etcd?: string;
  /** Further flags of the API server. Default: none. */
  readonly apiServerFlags?: readonly string[];
};

/** Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler. Any number of clusters may run side by side. */
export async function startCluster(
  program: string,
  { name = "real", etcd, apiServerFlags = [] }: StartOptions = {},
): Promise<RunningCluster> {
  removeStaleFolders();
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(program, name, etcd, apiServerFlags);
    } catch (error) {
      // Another process may take a free port before it is used.
      if (attempt === 3 || !String(error).includes("address already in use")) throw error;
    }
  }
}

const nothing = async () => {};

async function startOnce(program: string, name: string, shared: string | undefined, further: readonly string[]): Promise<RunningCluster> {
  const folder = makeTemporaryFolder();
  const processes: ControlPlaneProcess[] = [];
  const stop = stopper(processes, folder);
  try {
    const [client = 0, peer = 0, api = 0, manager = 0, scheduler = 0] = await freePorts(5);
    const server = `https://127.0.0.1:${api}`;
    const credentials = makeCredentials(name, clock.now());
    const kubeconfig = join(folder, "kubeconfig");
    writeCredentials(folder, credentials);
    writeFileSync(kubeconfig, kubeconfigFor(name, server, credentials), { mode: 0o600 });
    const start = (component: string, flags: readonly string[]) =>
      processes.push(startControlPlaneProcess(program, component, flags, folder));
    const restart = async (component: string, flags: readonly string[], meanwhile: () => Promise<void>) => {
      const at = processes.findIndex((each) => each.name === component);
      await processes[at]!.stop();
      await meanwhile();
      processes[at] = startControlPlaneProcess(program, component, flags, folder);
      await ready(`${server}/readyz`, credentials, processes);
    };

    const etcd = shared ?? `http://127.0.0.1:${client}`;
    const etcdFlags = [`--data-dir=${folder}/etcd`, `--listen-client-urls=${etcd}`, `--listen-peer-urls=http://127.0.0.1:${peer}`];
    if (shared === undefined) {
      mkdirSync(join(folder, "etcd"), { mode: 0o700 });
      start("etcd", etcdFlags);
    }
    const apiServer = "kube-apiserver";
    const flags = [...apiserverFlags(folder, etcd, api), ...further, ...(shared === undefined ? [] : [`--etcd-prefix=/${name}`])];
    start(apiServer, flags);
    await ready(`${server}/readyz`, credentials, processes);
    const restartApiServer = (meanwhile = nothing) => restart(apiServer, flags, meanwhile);
    const restartEtcd = (meanwhile = nothing) => restart("etcd", etcdFlags, meanwhile);
    start("kube-controller-manager", [...clientFlags(kubeconfig, manager), ...managerFlags(folder)]);
    start("kube-scheduler", clientFlags(kubeconfig, scheduler));
    await Promise.all([manager, scheduler].map((port) => ready(`https://127.0.0.1:${port}/healthz`, credentials, processes)));
    const pidOf = (component: string) => processes.find((each) => each.name === component)!.pid;
    return { name, server, kubeconfig, credentials, etcd, pidOf, restartApiServer, restartEtcd, stop };
  } catch (error) {
    await stop();
    throw new Fault(`start cluster ${name}`, error);
  }
}

/** A management cluster and managed clusters. */
export type RunningFleet = {
  readonly management: RunningCluster;
  readonly managed: readonly RunningCluster[];
  /** Stops all of them. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Starts a management cluster and managed ones that share its etcd, which saves a quarter of the memory. */
export async function startFleet(program: string, { managed = 2 }: { managed?: number } = {}): Promise<RunningFleet> {
  const management = await startCluster(program, { name: "management" });
  const names = Array.from({ length: managed }, (_, index) => `managed-${index + 1}`);
  const starts = await Promise.allSettled(names.map((name) => startCluster(program, { name, etcd: management.etcd })));
  const running = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const stop = async () => {
    await Promise.all(running.map((cluster) => cluster.stop()));
    await management.stop();
  };
  const failed = starts.find((start) => start.status === "rejected");
  if (failed === undefined) return { management, managed: running, stop };
  await stop();
  throw failed.reason;
}

/** Stops the cluster once, also when this process ends for a reason that it can notice. */
function stopper(processes: readonly ControlPlaneProcess[], folder: string): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", clear);
  return () =>
    (stopping ??= (async () => {
      // The other components end at once while the API server runs, so it is stopped after them and before etcd.
      for (const component of processes.toReversed()) await component.stop();
      process.removeListener("exit", clear);
      clear();
    })());
}

function apiserverFlags(folder: string, etcd: string, port: number): string[] {
  return [
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    // Endpoints may not contain a loopback address, so an unused address is advertised.
    "--advertise-address=10.254.254.1",
    "--endpoint-reconciler-type=none",
    `--tls-cert-file=${folder}/apiserver.crt`,
    `--tls-private-key-file=${folder}/apiserver.key`,
    `--client-ca-file=${folder}/ca.crt`,
    `--kubelet-certificate-authority=${folder}/ca.crt`,
    `--kubelet-client-certificate=${folder}/kubelet-client.crt`,
    `--kubelet-client-key=${folder}/kubelet-client.key`,
    "--kubelet-preferred-address-types=InternalIP",
    `--requestheader-client-ca-file=${folder}/ca.crt`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${folder}/tokens.pub`,
    `--service-account-signing-key-file=${folder}/tokens.key`,
    "--service-cluster-ip-range=10.0.0.0/16",
    "--authorization-mode=Node,RBAC",
    "--allow-privileged=true",
  ];
}

function clientFlags(kubeconfig: string, port: number): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    "--leader-elect=false",
    "--kube-api-qps=300",
    "--kube-api-burst=600",
  ];
}

function managerFlags(folder: string): string[] {
  return [
    `--service-account-private-key-file=${folder}/tokens.key`,
    `--root-ca-file=${folder}/ca.crt`,
    `--cluster-signing-cert-file=${folder}/ca.crt`,
    `--cluster-signing-key-file=${folder}/ca.key`,
  ];
}

/**
 * Repeats the request until the answer is `ok`: an open port does not mean readiness, and there is nothing to watch before a
 * server serves.
 */
async function ready(url: string, credentials: ClusterCredentials, processes: readonly ControlPlaneProcess[]): Promise<void> {
  for (const until = clock.now() + readyWithinMs; (await asked(url, credentials)) !== "ok"; await sleep(clock, 100)) {
    const ended = processes.find((component) => component.hasEnded());
    if (ended !== undefined) throw new Fault(`${ended.name} has ended; its last lines`, `\n${ended.logTail()}`);
    if (clock.now() > until) throw new Fault(`${url} is not ready after ${readyWithinMs / 1000} s`, tails(processes));
  }
}

function tails(processes: readonly ControlPlaneProcess[]): string {
  return processes.map((component) => `\n${component.name}:\n${component.logTail()}`).join("");
}

function asked(url: string, { authority, admin }: ClusterCredentials): Promise<string> {
  return new Promise((resolve) => {
    // The controller manager and the scheduler have self-signed certificates.
    const options = {
      ca: authority.certificate,
      cert: admin.certificate,
      key: admin.key,
      rejectUnauthorized: url.endsWith("/readyz"),
      timeout: 2000,
    };
    const asking = request(url, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve(text));
    });
    asking.on("timeout", () => asking.destroy());
    asking.on("error", (error) => resolve(error.message));
    asking.end();
  });
}
