import { X509Certificate } from "node:crypto";
import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isLoopback, openTransport, proxyFromEnvironment, type Endpoint } from "../transport/index.ts";
import { basicAuthHeader, bearerAuthHeader, type Credentials } from "./credentials.ts";
import { ExecCredentials, type ExecCluster } from "./exec-credentials.ts";
import type { SelectedContext } from "./find-kubeconfig.ts";
import type { ClusterEntry, DataOrFile, UserEntry } from "./kubeconfig.ts";
import type { Machine } from "./machine.ts";
import { oidcCredentials } from "./oidc-credentials.ts";
import { persistAuthProvider } from "./persist-auth-provider.ts";
import { tokenFileCredentials } from "./token-file-credentials.ts";

/** The endpoint of the selected cluster. */
export async function endpointOf({ cluster }: SelectedContext, machine: Machine): Promise<Endpoint> {
  const url = serverUrl(cluster);
  const authority = await readText(cluster.authority, machine, `the certificate-authority of cluster "${cluster.name}" in ${cluster.file}`);
  const proxy = cluster.proxy ?? proxyFromEnvironment(cluster.server, machine.env);
  return {
    server: cluster.server,
    insecure: cluster.insecure,
    compress: cluster.compression && !isLoopback(url.hostname),
    ...(authority === undefined ? {} : { authority }),
    ...(cluster.serverName === undefined ? {} : { serverName: cluster.serverName }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

function serverUrl({ server, name, file }: ClusterEntry): URL {
  if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) return new URL(server);
  throw new Fault(`cluster "${name}" in ${file} has the server "${server}", which is no address: write https://HOST:PORT`, undefined, {
    final: true,
  });
}

/**
 * The credentials of the selected user. `certificateChanged` is called when connections have to be reopened. Over plain
 * HTTP no secret is sent. Models client-go tools/clientcmd/client_config.go ClientConfig
 */
export async function credentialsOf(
  selected: SelectedContext,
  machine: Machine,
  clock: Clock,
  certificateChanged: () => void,
): Promise<Credentials> {
  const { user, cluster } = selected;
  if (user === undefined || cluster.server.startsWith("http://")) return { headers: () => ({}) };
  const credentials = await tokenCredentials(user, selected, machine, clock, certificateChanged);
  const read = (source: DataOrFile | undefined, what: string) =>
    readText(source, machine, `the ${what} of user "${user.name}" in ${user.file}`);
  const pair = async () => ({ certificate: await read(user.certificate, "client-certificate"), key: await read(user.key, "client-key") });
  const { certificate, key } = await pair();
  if (certificate === undefined && key === undefined) return credentials;
  if (certificate !== undefined && key !== undefined) {
    // Files are read again for every new connection, because another process may rotate them.
    const latest = async () => {
      const now = await pair();
      return { certificate: now.certificate ?? certificate, key: now.key ?? key };
    };
    const objection = () => expiry(certificate, clock.now(), `the client-certificate of user "${user.name}" in ${user.file}`);
    return { ...credentials, certificate: latest, objection };
  }
  const missing = key === undefined ? "client-key" : "client-certificate";
  throw new Fault(`user "${user.name}" in ${user.file} has no ${missing}: a certificate goes with its key`, undefined, { final: true });
}

function expiry(certificate: string, now: number, what: string): string | undefined {
  const until = new Date(new X509Certificate(certificate).validTo);
  if (until.getTime() > now) return undefined;
  return `${what} expired on ${until.toISOString().replace(/T(\d\d:\d\d).*/, " $1 UTC")}: get a new one (or this machine's clock is wrong)`;
}

async function tokenCredentials(
  user: UserEntry,
  { cluster }: SelectedContext,
  machine: Machine,
  clock: Clock,
  changed: () => void,
): Promise<Credentials> {
  if (user.tokenFile !== undefined) return tokenFileCredentials(user.tokenFile, machine, clock, user.token);
  if (user.token !== undefined) return fixed(bearerAuthHeader(user.token));
  if (user.username !== undefined) return fixed(basicAuthHeader(user.username, user.password ?? ""));
  if (user.exec !== undefined) {
    const credentials = new ExecCredentials(user.exec, await execCluster(cluster, machine), machine, clock, changed);
    return {
      headers: () => credentials.headers(),
      certificate: () => credentials.certificate(),
      renew: (sent) => credentials.renew(sent),
    };
  }
  if (user.authProvider?.name === "oidc") return openIdConnect(user, user.authProvider.config, machine, clock);
  if (user.authProvider === undefined) return fixed({});
  const advice = "use an exec plugin of your provider instead";
  throw new Fault(
    `user "${user.name}" in ${user.file} has the auth-provider "${user.authProvider.name}", which is not supported: ${advice}`,
    undefined,
    { final: true },
  );
}

function fixed(headers: Readonly<Record<string, string>>): Credentials {
  return { headers: () => headers };
}

async function execCluster(cluster: ClusterEntry, machine: Machine): Promise<ExecCluster> {
  return { ...(await clusterFields(cluster, machine)), config: cluster.execConfig ?? null };
}

/** The fields of a cluster in a kubeconfig, with the certificates in it. */
export async function clusterFields(cluster: ClusterEntry, machine: Machine) {
  const authority = await readText(cluster.authority, machine, `the certificate-authority of cluster "${cluster.name}" in ${cluster.file}`);
  return {
    server: cluster.server,
    ...(cluster.serverName === undefined ? {} : { "tls-server-name": cluster.serverName }),
    ...(cluster.insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(authority === undefined ? {} : { "certificate-authority-data": Buffer.from(authority).toString("base64") }),
    ...(cluster.proxy === undefined ? {} : { "proxy-url": cluster.proxy }),
    ...(cluster.compression ? {} : { "disable-compression": true }),
  };
}

async function openIdConnect(
  user: UserEntry,
  config: Readonly<Record<string, string>>,
  machine: Machine,
  clock: Clock,
): Promise<Credentials> {
  const inline = config["idp-certificate-authority-data"];
  const file = config["idp-certificate-authority"];
  const source = inline ? { text: Buffer.from(inline, "base64").toString("utf8") } : file ? { path: file } : undefined;
  const authority = await readText(source, machine, `the idp-certificate-authority of user "${user.name}" in ${user.file}`);
  return oidcCredentials(config, {
    clock,
    persist: (renewed) => persistAuthProvider(machine, user, renewed),
    async reach(url, use) {
      const proxy = proxyFromEnvironment(url.origin, machine.env);
      const endpoint = { server: url.origin, ...(authority === undefined ? {} : { authority }), ...(proxy === undefined ? {} : { proxy }) };
      const transport = openTransport(endpoint, clock);
      try {
        return await use(transport.exchange);
      } finally {
        transport.close();
      }
    },
  });
}

/** Data of a kubeconfig, or the content of the file that it names. `what` is for errors. */
export async function readText(source: DataOrFile | undefined, machine: Machine, what: string): Promise<string | undefined> {
  if (source === undefined || "text" in source) return source?.text;
  try {
    return await machine.read(source.path);
  } catch (cause) {
    throw new Fault(`${what} cannot be read: check the path ${source.path}`, cause, { final: true });
  }
}
