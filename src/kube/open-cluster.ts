import { RealClock, type Clock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { Fault } from "../core/fault/index.ts";
import type { Cluster } from "./cluster.ts";
import {
  withAuthentication,
  chooseContext,
  credentialsOf,
  endpointOf,
  readInClusterConfig,
  findKubeconfig,
  withImpersonation,
  thisMachine,
  tokenFileCredentials,
  type Credentials,
  type Impersonation,
  type Machine,
} from "./config/index.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { openTransport, proxyFromEnvironment, type Transport } from "./transport/index.ts";

export type OpenOptions = Omit<ConnectOptions, "clock"> & {
  /** A kubeconfig file. Default: those of KUBECONFIG, then ~/.kube/config, then the pod this runs in. */
  readonly kubeconfig?: string;
  /** The flag that names a kubeconfig, for messages. Default `--kubeconfig`. */
  readonly kubeconfigFlag?: string;
  /** A context of it. Default: the current one. */
  readonly context?: string;
  /** The user to impersonate. Default: as in the kubeconfig. */
  readonly as?: Impersonation;
  readonly clock?: Clock;
  readonly machine?: Machine;
};

export type OpenedCluster = {
  readonly cluster: Cluster;
  /** The context's name, or `in-cluster`. */
  readonly context: string;
  readonly server: string;
  /** The exchange below the client, with credentials. */
  readonly exchange: Exchange;
  close(): void;
};

/** Opens the cluster of a kubeconfig, or of the pod this runs in. Sends nothing yet. */
export async function openCluster(options: OpenOptions = {}): Promise<OpenedCluster> {
  const { machine = thisMachine(), clock = new RealClock(), kubeconfigFlag = "--kubeconfig" } = options;
  const access = (await fromKubeconfig(options, machine, clock)) ?? (await fromPod(machine, clock));
  if (access === undefined) {
    const place = `${machine.home}/.kube/config`;
    throw new Fault(
      `no cluster is configured: there is no ${place}, and KUBECONFIG is not set; name a file with ${kubeconfigFlag}`,
      undefined,
      {
        final: true,
      },
    );
  }
  const { transport, credentials, context, server } = access;
  const as = options.as ?? access.as;
  const named = withAuthentication(transport.exchange, credentials);
  const exchange = as === undefined ? named : withImpersonation(named, as);
  const namespace = options.namespace ?? access.namespace;
  const cluster = connect(exchange, {
    random: machine.random,
    lostConnections: transport.lostConnections,
    ...options,
    clock,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return { cluster, context, server, exchange, close: () => transport.close() };
}

type ClusterAccess = {
  transport: Transport;
  credentials: Credentials;
  context: string;
  server: string;
  namespace: string | undefined;
  as: Impersonation | undefined;
};

async function fromKubeconfig(options: OpenOptions, machine: Machine, clock: Clock): Promise<ClusterAccess | undefined> {
  const config = await findKubeconfig(machine, options.kubeconfig, options.kubeconfigFlag);
  if (config === undefined) return undefined;
  const selected = chooseContext(config, options.context);
  const endpoint = await endpointOf(selected, machine);
  const transport: Transport = openTransport({ ...endpoint, certificate: async () => credentials.certificate?.() }, clock);
  const credentials = await credentialsOf(selected, machine, clock, () => transport.renew());
  const { context, user } = selected;
  return { transport, credentials, context: context.name, server: endpoint.server, namespace: context.namespace, as: user?.impersonate };
}

async function fromPod(machine: Machine, clock: Clock): Promise<ClusterAccess | undefined> {
  const pod = await readInClusterConfig(machine);
  if (pod === undefined) return undefined;
  const proxy = proxyFromEnvironment(pod.server, machine.env);
  const endpoint = { server: pod.server, authority: pod.authority, ...(proxy === undefined ? {} : { proxy }) };
  const credentials = tokenFileCredentials(pod.tokenFile, machine, clock);
  const { server, namespace } = pod;
  return { transport: openTransport(endpoint, clock), credentials, context: "in-cluster", server, namespace, as: undefined };
}
