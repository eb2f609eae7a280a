import type { FleetClusterRef } from "../../view/index.ts";

/** A text without the names of a cluster and of what was generated for it. */
export function generalText(text: string, { type = "Sveltos", namespace, name }: FleetClusterRef): string {
  return text
    .replaceAll(`${namespace}/${name}`, () => "{cluster}")
    .replaceAll(`-${type.toLowerCase()}-${name}`, () => "{cluster}")
    .replaceAll(/\bsveltos-[0-9a-z]{20}\b/g, () => "{generated}");
}

/** What the names of ReplicaSets and pods end in. */
export const podSuffix = /-[0-9a-z]{8,10}(?:-[0-9a-z]{5})?\b/g;

/** What differs between failures of the same cause, longest first: a digest has what looks like the end of a pod's name. */
const differing: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g,
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g,
  /\bsha256:[0-9a-f]{12,64}/g,
  /https?:\/\/[^\s/"]+/g,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /(?<![0-9a-z])\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\]?(?::\d+)?(?![0-9a-z])/g,
  // Those that Kubernetes makes have at least one digit; words of that length have none.
  /-(?=[a-z]*\d)[0-9a-z]{8,10}(?:-[0-9a-z]{5})?\b/g,
  /(?<=\bpod (?:[^\s/"]+\/)?[^\s/"]*)-(?=[a-z]*\d)[0-9a-z]{5}\b/gi,
  /\b(?:\d+(?:\.\d+)?(?:ms|h|m|s))+\b/g,
];

/**
 * A failure without what differs from cluster to cluster for the same cause: names of the cluster and of pods, addresses,
 * digests, times. The name of the cluster becomes `{cluster}`, anything else `…`.
 */
export function commonText(text: string, cluster: FleetClusterRef): string {
  return differing.reduce(
    (rest, pattern) => rest.replaceAll(pattern, (found) => (found.startsWith("-") ? "-…" : "…")),
    generalText(text, cluster).replaceAll("{generated}", "…"),
  );
}
