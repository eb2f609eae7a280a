import { mostChartBytes } from "../chart/index.ts";
import { Fault } from "../core/fault/index.ts";
import { basicHeader, type Access } from "./access.ts";
import { sameOrigin, shown } from "./address.ts";
import { checkDigest } from "./digest.ts";
import type { Outside } from "./outside.ts";
import { trustOf } from "./web/trust.ts";

/** Larger than any index there is, and small enough to hold. */
const mostIndexBytes = 256 * 2 ** 20;

/** Whose credentials these are: they are for this address, and for no other host's. */
export type Owner = Access & { readonly url: string };

export async function fetchIndex(url: string, owner: Owner, outside: Outside): Promise<string> {
  return Buffer.from(await fetchFrom(url, owner, outside, mostIndexBytes)).toString("utf8");
}

/** Fetches a packed chart, and checks it where its repository has told what to expect. */
export async function fetchArchive(url: string, owner: Owner, digest: string | undefined, outside: Outside): Promise<Uint8Array> {
  const bytes = await fetchFrom(url, owner, outside, mostChartBytes, { accept: "application/gzip,application/octet-stream" });
  checkArchive(bytes, shown(url));
  if (digest !== undefined) checkDigest(bytes, `sha256:${digest}`, `read ${shown(url)}`);
  return bytes;
}

/** Refuses at once what cannot be a packed chart: most often a page that asks somebody to sign in. */
export function checkArchive(bytes: Uint8Array, from: string): void {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return;
  const start = Buffer.from(bytes.subarray(0, 64)).toString("utf8").trimStart();
  const got = bytes.length === 0 ? "nothing" : start.startsWith("<") ? "a web page" : "something else";
  throw new Fault(`${from} does not appear to be a gzipped archive; got ${got}: check the address`, undefined, { final: true });
}

async function fetchFrom(
  url: string,
  owner: Owner,
  { web }: Outside,
  mostBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const known = owner.passCredentials === true || sameOrigin(owner.url, url);
  const trust = await trustOf(owner);
  const answer = await web({ url, headers: { ...headers, ...(known ? basicHeader(owner) : {}) }, trust, mostBytes });
  if (answer.status === 200) return answer.body;
  throw new Fault(`failed to fetch ${shown(url)} : ${answer.statusText}`, undefined, { final: answer.status < 500 });
}
