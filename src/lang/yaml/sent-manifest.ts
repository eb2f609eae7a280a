import { Fault } from "../../core/fault/index.ts";
import { approximateSize, titleOf } from "../../core/object/index.ts";
import { positionText } from "./document.ts";
import type { LocatedManifest } from "./manifest.ts";

/** A manifest as data, which can be cloned. Of its positions those are kept that messages name. */
export type SentManifest = Pick<LocatedManifest, "object" | "at"> & { readonly positions: ReadonlyMap<string, LocatedManifest["at"]> };

/** What an API server accepts in one request. Models k8s.io/apiserver pkg/server/config.go MaxRequestBodyBytes */
const maxManifestSize = 3 * 2 ** 20;
/** What the manifests of one source may have together. */
const maxTotalSize = 32 * 2 ** 20;

/**
 * Manifests as data, for a process that writes them out as JSON: aliases may make them far larger than their text. Throws a Fault
 * that names the first one that is too large.
 */
export function sentManifests(manifests: readonly LocatedManifest[]): readonly SentManifest[] {
  let total = 0;
  return manifests.map((manifest) => {
    const { object, at, positionOf } = manifest;
    const size = approximateSize(object, maxManifestSize);
    if (size > maxManifestSize)
      throw tooLarge(manifest, `has more than ${maxManifestSize / 2 ** 20} MiB as JSON, and no API server accepts it`);
    total += size;
    if (total > maxTotalSize) throw tooLarge(manifest, `and the manifests before it have more than ${maxTotalSize / 2 ** 20} MiB as JSON`);
    // Lines of a rendered text are none of its template.
    if (at.line === undefined) return { object, at, positions: new Map() };
    const annotations = Object.keys(object.metadata.annotations ?? {}).map((key) => `metadata.annotations[${JSON.stringify(key)}]`);
    return { object, at, positions: new Map([...annotations, "spec.dependsOn"].map((path) => [path, positionOf(path)])) };
  });
}

export function receivedManifests(manifests: readonly SentManifest[]): readonly LocatedManifest[] {
  return manifests.map(({ object, at, positions }) => ({ object, at, positionOf: (path) => positions.get(path) ?? at }));
}

function tooLarge({ object, at }: LocatedManifest, why: string): Fault {
  const { kind, metadata } = object;
  return new Fault(`${positionText(at)}: ${titleOf({ kind, name: metadata.name })} ${why}`, undefined, { final: true });
}
