import { Fault } from "../core/fault/index.ts";
import { redactedUrl } from "./url.ts";

/** The fault for an error of a request, in words that somebody can act on. */
export function httpFaultOf(url: string, error: unknown, trustAdvice = "name its authority with --ca-file"): Fault {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  return new Fault(explanation(redactedUrl(url), code, message, trustAdvice), undefined, { final: lasting.has(code) });
}

/** The advice where no flag names an authority. */
export const systemTrustAdvice = "add its authority to those of this machine, or name a file with it in SSL_CERT_FILE";

export function timeoutFault(url: string, ms: number): Fault {
  return new Fault(
    `${redactedUrl(url)} has not answered in full within ${ms / 1000} s: check the address, the network, and proxies on the way`,
  );
}

export function responseTooLargeFault(url: string, most: number): Fault {
  return new Fault(`the answer of ${redactedUrl(url)} is longer than ${sizeText(most)}, and is not what was asked for`, undefined, {
    final: true,
  });
}

const lasting = new Set(["ENOTFOUND", "ECONNREFUSED", "ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED"]);

function explanation(url: string, code: string, message: string, trustAdvice: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return `nothing answers at ${url} (connection refused): check the address`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host of ${url} cannot be found (${code}): check the address and the network's name service`;
    case "ECONNRESET":
    case "EPIPE":
      return `the connection to ${url} broke`;
    case "CERT_HAS_EXPIRED":
      return `the certificate of ${url} has expired: it has to be renewed on the server`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the certificate of ${url} is for another host: ${message}`;
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return `the certificate of ${url} is signed by nobody who is trusted (${code}): ${trustAdvice}`;
    default:
      return tlsExplanation(url, code, message);
  }
}

function tlsExplanation(url: string, code: string, message: string): string {
  if (code.startsWith("HPE_")) return `${url} does not speak HTTP: ${message}`;
  if (/wrong version number|packet length too long/i.test(message))
    return `${url} does not speak TLS: does its address begin with http://?`;
  if (/alert/i.test(message) && /certificate/i.test(message))
    return `${url} refuses the client certificate: name another with --cert-file and --key-file`;
  return `the connection to ${url} failed: ${message}`;
}

function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${Math.round(bytes / 2 ** 10)} KiB`;
}
