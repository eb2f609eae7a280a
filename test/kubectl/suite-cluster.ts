import type { Handler, IncomingRequest } from "../../src/core/exchange/index.ts";
import { RealClock } from "../../src/core/clock/index.ts";
import { startEmbeddedCluster, type AuthorizationMode } from "../../src/embedded/index.ts";
import { createServingAuthority, serveExchange } from "../../src/server/index.ts";
import { startCluster } from "../cluster/start-cluster.ts";

/** A cluster in which nothing has happened yet, for one function of the suite. */
export type SuiteCluster = {
  readonly port: number;
  /** A certificate of the server in PEM, which the suite writes into kubeconfigs. */
  readonly certificate: string;
  readonly stop: () => Promise<void>;
};

/** The suite looks for this name among the authorities of client certificates. */
const authorityName = "127.0.0.1";

/** An embedded cluster of this process. It has no nodes: the suite makes its own. */
export async function startEmbeddedSuiteCluster(authorization: AuthorizationMode): Promise<SuiteCluster> {
  const clock = new RealClock();
  const now = new Date(clock.now());
  const authority = createServingAuthority(authorityName, now);
  const { exchange, stop } = startEmbeddedCluster({
    clock,
    nodes: 0,
    random: Math.random,
    authority,
    authorization,
  });
  // A plain control plane has none.
  const path = "/apis/storage.k8s.io/v1/storageclasses/standard";
  await exchange({ method: "DELETE", path, headers: {}, signal: new AbortController().signal });
  const served = await serveExchange(withAdminToken(exchange), { now, authority });
  const close = async () => {
    stop();
    await served.close();
  };
  return { port: Number(new URL(served.url).port), certificate: authority.certificate, stop: close };
}

const suiteToken = "Bearer admin-token";

/** The suite's token is an administrator's, as the token file of its own API server says. */
function withAdminToken(exchange: Handler): Handler {
  return (request) => exchange(request.headers["authorization"] === suiteToken ? asAdministrator(request) : request);
}

function asAdministrator(request: IncomingRequest): IncomingRequest {
  const { authorization: _token, ...headers } = request.headers;
  const certificate = { commonName: "admin", organizations: ["system:masters"], fingerprint: "suite" };
  return { ...request, headers, peer: { certificate } };
}

/**
 * A real control plane with the suite's token. Starting one takes as long as most functions do, so that one serves them all, one
 * after the other.
 */
export async function startRealSuiteCluster(program: string, tokenFile: string, mode: AuthorizationMode): Promise<SuiteCluster> {
  const flags = [`--token-auth-file=${tokenFile}`, ...(mode === "AlwaysAllow" ? [`--authorization-mode=${mode}`] : [])];
  const cluster = await startCluster(program, { name: authorityName, apiServerFlags: flags });
  const { certificate } = cluster.credentials.authority;
  return { port: Number(new URL(cluster.server).port), certificate, stop: () => cluster.stop() };
}
