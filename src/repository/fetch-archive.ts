import { maxChartBytes } from "../chart/index.ts";
import { Fault } from "../core/fault/index.ts";
import { basicHeader, type RepositoryAccess } from "./repository-access.ts";
import { redactedUrl, sameOrigin } from "../http/index.ts";
import { parseChartUrl, resolveReferenceUrl } from "./url.ts";
import { checkDigest } from "./digest.ts";
import { maxProvenanceBytes } from "./provenance.ts";
import type { RepositoryEnvironment } from "./repository-environment.ts";
import { tlsOptionsOf } from "./store/tls-options.ts";

/** The maximum size of an index: larger than any existing one. */
const maxIndexBytes = 256 * 2 ** 20;
/** That of one which goes to another process, and still larger than any existing one. */
const maxSentIndexBytes = 64 * 2 ** 20;

/** A URL with its credentials, which are sent to no other host. */
export type RepositoryEndpoint = RepositoryAccess & { readonly url: string };

/** Fetches the index of a repository. */
export function fetchIndex(endpoint: RepositoryEndpoint, environment: RepositoryEnvironment): Promise<Uint8Array> {
  const url = resolveReferenceUrl(endpoint.url, "index.yaml");
  return fetchFrom(url, endpoint, environment, environment.isolated === undefined ? maxIndexBytes : maxSentIndexBytes);
}

/** Fetches a packed chart, and verifies its digest if the index has one. */
export async function fetchArchive(
  url: string,
  endpoint: RepositoryEndpoint,
  digest: string | undefined,
  environment: RepositoryEnvironment,
): Promise<Uint8Array> {
  const bytes = await fetchFrom(url, endpoint, environment, maxChartBytes, { accept: "application/gzip,application/octet-stream" });
  checkArchive(bytes, redactedUrl(url));
  if (digest !== undefined) checkDigest(bytes, `sha256:${digest}`, `read ${redactedUrl(url)}`);
  return bytes;
}

/** Fetches the provenance file of a packed chart, which is beside it. */
export async function fetchProvenance(url: string, endpoint: RepositoryEndpoint, environment: RepositoryEnvironment): Promise<string> {
  const parsed = new URL(url);
  parsed.pathname += ".prov";
  try {
    return Buffer.from(await fetchFrom(parsed.href, endpoint, environment, maxProvenanceBytes)).toString("utf8");
  } catch (error) {
    throw new Fault(`failed to fetch provenance ${redactedUrl(parsed.href)}`, error, { final: true });
  }
}

/** Refuses what is not a packed chart, which is most often a login page. */
export function checkArchive(bytes: Uint8Array, from: string): void {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return;
  const start = Buffer.from(bytes.subarray(0, 64)).toString("utf8").trimStart();
  const got = bytes.length === 0 ? "nothing" : start.startsWith("<") ? "a web page" : "something else";
  throw new Fault(`${from} does not appear to be a gzipped archive; got ${got}: check the address`, undefined, { final: true });
}

async function fetchFrom(
  url: string,
  endpoint: RepositoryEndpoint,
  { http }: RepositoryEnvironment,
  maxBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  parseChartUrl(endpoint.url);
  parseChartUrl(url);
  const known = endpoint.passCredentials === true || sameOrigin(endpoint.url, url);
  const tls = await tlsOptionsOf(endpoint);
  const answer = await http({ url, headers: { ...headers, ...(known ? basicHeader(endpoint) : {}) }, tls, maxBytes });
  if (answer.status === 200) return answer.body;
  throw new Fault(`failed to fetch ${redactedUrl(url)} : ${answer.statusText}`, undefined, { final: answer.status < 500 });
}
