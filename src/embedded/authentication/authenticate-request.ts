import type { IncomingRequest, Peer } from "../../core/exchange/index.ts";
import { StatusError } from "../status-error.ts";
import { issuer, type ServiceAccountTokens } from "./service-account-tokens.ts";
import { allAuthenticated, anonymousUser, credentialIdKey, inProcessUser, type UserInfo } from "./user-info.ts";

/**
 * The user of a request: by its certificate, then by its bearer token, otherwise anonymous. A caller in this process is an
 * administrator unless it sends a token. Throws a 401 for credentials that are not valid. Models apiserver
 * pkg/authentication/request/union
 */
export function authenticateRequest(
  { headers, peer }: IncomingRequest,
  tokens: ServiceAccountTokens,
  { allowsAnonymous }: { readonly allowsAnonymous: boolean },
  warn: (message: string) => void,
): UserInfo {
  const byCertificate = userOfCertificate(peer?.certificate);
  if (byCertificate !== undefined) return byCertificate;
  const token = bearerTokenOf(headers["authorization"] ?? "");
  if (token !== undefined) {
    const result = tokens.validate(token, [issuer]);
    if (typeof result !== "object") throw unauthorized();
    if (result.warning !== undefined) warn(result.warning);
    return result.user;
  }
  if (peer === undefined) return inProcessUser;
  if (peer.certificate !== undefined || !allowsAnonymous) throw unauthorized();
  return anonymousUser;
}

/** Models apiserver pkg/authentication/request/x509/x509.go CommonNameUserConversion. A certificate without name names nobody. */
function userOfCertificate(certificate: Peer["certificate"]): UserInfo | undefined {
  if (certificate === undefined || certificate === "untrusted" || certificate.commonName === "") return undefined;
  const { commonName: username, organizations, fingerprint } = certificate;
  const groups = [...organizations, ...(organizations.includes(allAuthenticated) ? [] : [allAuthenticated])];
  return { username, groups, extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] } };
}

/** Models apiserver pkg/authentication/request/bearertoken/bearertoken.go */
function bearerTokenOf(authorization: string): string | undefined {
  const [scheme = "", token = ""] = authorization.trim().split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", "Unauthorized");
}
