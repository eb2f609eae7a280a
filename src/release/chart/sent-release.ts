import { receivedManifests, sentManifests, type InvalidManifests, type SentManifest } from "../../lang/yaml/index.ts";
import type { RenderedRelease } from "./rendered-release.ts";

/** A rendered release as data, which can be cloned. */
export type SentRelease = Pick<RenderedRelease, "about"> & {
  readonly crds: readonly SentManifest[];
  readonly manifests: readonly SentManifest[];
  readonly invalid: (Omit<InvalidManifests, "repaired"> & { readonly repaired: readonly SentManifest[] }) | undefined;
};

export function sentReleaseOf({ crds, manifests, invalid, about }: RenderedRelease): SentRelease {
  return {
    about,
    crds: sentManifests(crds),
    manifests: sentManifests(manifests),
    invalid: invalid === undefined ? undefined : { ...invalid, repaired: sentManifests(invalid.repaired) },
  };
}

export function receivedRelease({ crds, manifests, invalid, about }: SentRelease): RenderedRelease {
  return {
    about,
    crds: receivedManifests(crds),
    manifests: receivedManifests(manifests),
    invalid: invalid === undefined ? undefined : { ...invalid, repaired: receivedManifests(invalid.repaired) },
  };
}
