import { posix } from "node:path";
import { Fault } from "../core/fault/index.ts";

const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;

export function isOci(address: string): boolean {
  return address.startsWith("oci://");
}

/** Whether a URL is absolute: `https://charts.example.com/x.tgz`. */
export function isAbsoluteUrl(address: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+\/./.test(address);
}

/**
 * Resolves a reference of a repository: relative to its index, unless it is absolute. The query of the repository's URL
 * is kept, because it may contain a token. Models helm pkg/repo/v1 ResolveReferenceURL
 */
export function resolveReferenceUrl(base: string, reference: string): string {
  if (scheme.test(reference)) return reference;
  const folder = parseChartUrl(base);
  folder.pathname = `${folder.pathname.replace(/\/$/, "")}/`;
  const resolved = new URL(reference, folder);
  // `//other.example/web.tgz` has no scheme either, and leads elsewhere.
  if (resolved.origin === folder.origin) resolved.search = folder.search;
  return resolved.href;
}

/** Whether two repository URLs are the same. Models helm internal/urlutil Equal */
export function sameUrl(one: string, other: string): boolean {
  return one === other || normalized(one) === normalized(other);
}

/** The file name of a URL. */
export function fileNameOf(address: string): string {
  return decoded(posix.basename(parseChartUrl(address).pathname));
}

export function parseChartUrl(address: string): URL {
  if (!URL.canParse(address)) throw new Fault(`invalid chart URL format: ${address}`, undefined, { final: true });
  return new URL(address);
}

function normalized(address: string): string {
  if (!URL.canParse(address)) return cleaned(address);
  const url = new URL(address);
  url.pathname = cleaned(url.pathname);
  return url.href;
}

function cleaned(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/$/, "");
}

function decoded(name: string): string {
  try {
    const plain = decodeURIComponent(name);
    return plain.includes("/") || plain.includes("\0") ? name : plain;
  } catch {
    return name;
  }
}
