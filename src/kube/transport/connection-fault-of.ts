import type { TLSSocket } from "node:tls";
import { ConnectionFault } from "../connection-fault.ts";

/** The fault for an error of the connection to `server`. `known`: it has answered before, so it may come back soon. */
export function connectionFaultOf(server: string, error: unknown, { known = false, unsent = false } = {}): ConnectionFault {
  if (error instanceof ConnectionFault) return error;
  const code = codeOf(error);
  const [message, lasting] = explain(server, code, error);
  const transient = lasting ? known && !code.includes("SSL") && !code.startsWith("EPROTO") : true;
  return new ConnectionFault(message, { code, unsent: unsent || lasting, transient, cause: error });
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  // After several addresses of one host, the last error is as good as any.
  return typeof error.code === "string" ? error.code : "";
}

/** The message, and whether the error stays until somebody changes something. */
function explain(server: string, code: string, error: unknown): [string, boolean] {
  switch (code) {
    case "ECONNREFUSED":
      return [`nothing answers at ${server} (connection refused): check that the cluster is running and that this is its address`, true];
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return [`the host of ${server} cannot be found (${code}): check the server's address and the network's name service`, true];
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return [`${server} cannot be reached (${code}): check the server's address and the network`, true];
    case "ETIMEDOUT":
      return [`${server} does not answer: check the server's address, the network, and firewalls or proxies on the way`, true];
    case "ECONNRESET":
    case "EPIPE":
    case "ERR_STREAM_PREMATURE_CLOSE":
      return [`the connection to ${server} broke`, false];
    default:
      return explainTls(server, code, error);
  }
}

function explainTls(server: string, code: string, error: unknown): [string, boolean] {
  const message = error instanceof Error ? error.message : String(error);
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || /wrong version number|packet length too long/.test(message)) {
    return [`${server} does not speak TLS: check its address; does it begin with http://?`, true];
  }
  if (/alert/i.test(message) && /certificate/i.test(message)) {
    return [`${server} refuses the client certificate (${message.trim()}): check the user's client-certificate in the kubeconfig`, true];
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return [`no secure connection to ${server}: ${message.trim()}`, true];
  return [`the connection to ${server} failed: ${message}`, false];
}

/** `known`: it has answered before, so it may come back soon. */
export function connectTimeoutFault(server: string, ms: number, known: boolean): ConnectionFault {
  const advice = "check the server's address, the network, and firewalls or proxies on the way";
  return new ConnectionFault(`${server} did not answer within ${ms / 1000} s: ${advice}`, {
    code: "ETIMEDOUT",
    unsent: true,
    transient: known,
  });
}

/** The fault for a server certificate that fails verification. */
export function untrustedCertificateFault(server: string, socket: TLSSocket, serverName: string): ConnectionFault {
  const code = String(socket.authorizationError);
  return new ConnectionFault(objection(server, code, socket, serverName), { code, unsent: true, transient: false });
}

function objection(server: string, code: string, socket: TLSSocket, serverName: string): string {
  const certificate = socket.getPeerCertificate();
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return `the certificate of ${server} expired on ${day(certificate.valid_to)}: it has to be renewed on the server (or this machine's clock is wrong)`;
    case "CERT_NOT_YET_VALID":
      return `the certificate of ${server} is not valid before ${day(certificate.valid_from)}: check this machine's clock`;
    case "ERR_TLS_CERT_ALTNAME_INVALID": {
      const names = String(certificate.subjectaltname ?? certificate.subject?.CN).replaceAll(/DNS:|IP Address:/g, "");
      return `the certificate of ${server} is not for "${serverName}" but for ${names}: use one of these as the server's address, or set tls-server-name in the kubeconfig`;
    }
    default: {
      const issuer = certificate.issuer?.CN ?? "unknown";
      return `the certificate of ${server} is signed by "${issuer}", which is not trusted (${code}): set certificate-authority in the kubeconfig to the certificate that signs it`;
    }
  }
}

function day(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString().replace(/T(\d\d:\d\d).*/, " $1 UTC");
}
