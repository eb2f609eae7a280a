import { once, readPacked, readPart } from "./packed-file.ts";

type Entry = { readonly offset: number; readonly length: number; readonly hash: string };

const index = once(() => JSON.parse(readPacked("openapi.index.json.br")) as Readonly<Record<string, Entry>>);

/** The OpenAPI v3 documents there are, by the path under `/openapi/v3/` (`apis/apps/v1`), each with the hash of its bytes. */
export function openApiHashes(): ReadonlyMap<string, string> {
  return new Map(Object.entries(index()).map(([path, { hash }]) => [path, hash]));
}

/** The bytes of one document, as JSON. Unpacked each time: they are large and rarely requested. */
export function openApiDocument(path: string): Buffer | undefined {
  const entry = Object.hasOwn(index(), path) ? index()[path] : undefined;
  return entry === undefined ? undefined : readPart("openapi.pack", entry.offset, entry.length);
}
