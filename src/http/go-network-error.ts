/** What Node says of a connection, where Go's net, tls and x509 say something else. `address` is `host:port`. */
export function goNetworkError(error: unknown, address: string): string {
  const host = address.replace(/:\d+$/, "");
  const { code = "", message = "" } = fieldsOf(error);
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${dialled(error, address)}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${address}: connect: no route to host`;
    case "ENETUNREACH":
      return `dial tcp ${address}: connect: network is unreachable`;
    case "ETIMEDOUT":
      return `dial tcp ${address}: i/o timeout`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${host}: no such host`;
    case "ECONNRESET":
      // Node has one code for a connection that was closed, however politely.
      return "EOF";
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return /http request|wrong version|packet length/i.test(message)
        ? "http: server gave HTTP response to HTTPS client"
        : `tls: ${message}`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "CERT_SIGNATURE_FAILURE":
      return unverified("certificate signed by unknown authority");
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return unverified("certificate has expired or is not yet valid");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return unverified(misnamed(error));
    default:
      return message === "" ? String(error) : message;
  }
}

function unverified(why: string): string {
  return `tls: failed to verify certificate: x509: ${why}`;
}

/** Node connects to all addresses of a name, one after the other, and reports all of them. */
function dialled(error: unknown, address: string): string {
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const { address: host, port } = fieldsOf(attempts.at(-1));
  if (host === undefined || port === undefined) return address;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Models crypto/x509 HostnameError */
function misnamed(error: unknown): string {
  const { host = "" } = fieldsOf(error);
  const certificate: unknown = typeof error === "object" && error !== null && "cert" in error ? error.cert : undefined;
  const names =
    typeof certificate === "object" && certificate !== null && "subjectaltname" in certificate ? certificate.subjectaltname : "";
  const entries = typeof names === "string" ? names.split(", ") : [];
  const wanted = /^[\d.]+$|:/.test(host) ? "IP Address:" : "DNS:";
  const valid = entries.filter((entry) => entry.startsWith(wanted)).map((entry) => entry.slice(wanted.length));
  if (valid.length > 0) return `certificate is valid for ${valid.join(", ")}, not ${host}`;
  if (wanted !== "DNS:") return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return entries.length === 0
    ? "certificate relies on legacy Common Name field, use SANs instead"
    : `certificate is not valid for any names, but wanted to match ${host}`;
}

type NodeError = {
  readonly code?: string;
  readonly message?: string;
  readonly host?: string;
  readonly address?: string;
  readonly port?: string;
};

function fieldsOf(error: unknown): NodeError {
  if (typeof error !== "object" || error === null) return {};
  const names = ["code", "message", "host", "address", "port"] as const;
  const fields = new Map(Object.entries(Object.getOwnPropertyDescriptors(error)).map(([name, { value }]) => [name, value as unknown]));
  return Object.fromEntries(names.flatMap((name) => (fields.has(name) ? [[name, String(fields.get(name))]] : [])));
}
