import { RealClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import type { Cluster } from "./cluster.ts";
import { bearerAuthHeader, withAuthentication } from "./config/credentials.ts";
import { chooseContext, endpointOf, findKubeconfig, thisMachine } from "./config/index.ts";
import { connect } from "./connect.ts";
import type { OpenOptions } from "./open-cluster.ts";
import { openTransport, proxyFromEnvironment, type Endpoint } from "./transport/index.ts";

type EndpointOptions = Pick<OpenOptions, "kubeconfig" | "context" | "clock" | "machine" | "attempts"> & {
  /** The address of the API server. Default: that of the context, or of the cluster that this runs in. */
  readonly server?: string;
  /** A file with the authority of the server's certificate. Default: that of the context, or of the pod. */
  readonly authority?: string;
};

/** An API server that others ask, each with a token of their own. Nothing of ours says who asks. */
type OpenedEndpoint = {
  readonly context: string;
  readonly server: string;
  /** A client whose every request has this token. */
  connectAs(token: string): Cluster;
  close(): void;
};

const podAuthority = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

/** Opens the API server of a context without the credentials in it, or that of the cluster that this runs in. Sends nothing yet. */
export async function openEndpoint(options: EndpointOptions = {}): Promise<OpenedEndpoint> {
  const { machine = thisMachine(), clock = new RealClock(), attempts } = options;
  const { context, endpoint } = (await fromPlace(options, machine)) ?? (await fromContext(options, machine));
  const transport = openTransport(endpoint, clock);
  const connectAs = (token: string) =>
    connect(withAuthentication(transport.exchange, { headers: () => bearerAuthHeader(token) }), {
      clock,
      random: machine.random,
      lostConnections: transport.lostConnections,
      ...(attempts === undefined ? {} : { attempts }),
    });
  return { context, server: endpoint.server, connectAs, close: () => transport.close() };
}

type Place = { readonly context: string; readonly endpoint: Endpoint };
type Machine = ReturnType<typeof thisMachine>;

/** The server that is named, or that of the pod this runs in. */
async function fromPlace(options: EndpointOptions, machine: Machine): Promise<Place | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = machine.env;
  const isPod =
    host !== undefined && host !== "" && port !== undefined && options.kubeconfig === undefined && options.context === undefined;
  const server = options.server ?? (isPod ? `https://${host.includes(":") ? `[${host}]` : host}:${port}` : undefined);
  if (server === undefined) return undefined;
  const file = options.authority ?? (isPod ? podAuthority : undefined);
  const proxy = proxyFromEnvironment(server, machine.env);
  const authority = file === undefined ? undefined : await readAuthority(file, machine);
  const endpoint = { server, ...(authority === undefined ? {} : { authority }), ...(proxy === undefined ? {} : { proxy }) };
  return { context: "in-cluster", endpoint };
}

async function fromContext({ kubeconfig, context, authority }: EndpointOptions, machine: Machine): Promise<Place> {
  const config = await findKubeconfig(machine, kubeconfig);
  if (config === undefined) throw new Fault("no cluster is configured: name its API server with --server", undefined, { final: true });
  const selected = chooseContext(config, context);
  const endpoint = await endpointOf(selected, machine);
  const other = authority === undefined ? {} : { authority: await readAuthority(authority, machine) };
  return { context: selected.context.name, endpoint: { ...endpoint, ...other } };
}

async function readAuthority(file: string, machine: Machine): Promise<string> {
  try {
    return await machine.read(file);
  } catch (cause) {
    throw new Fault(`read the certificate authority ${file}`, cause, { final: true });
  }
}
