import type { LiveFacts } from "./plan-input.ts";

const nameMark = "meta.helm.sh/release-name";
const namespaceMark = "meta.helm.sh/release-namespace";

/** The release that owns a live object, by Helm's annotations. A release that is gone owns nothing. */
export function liveOwnerOf({
  annotations = {},
  formerOwner,
}: LiveFacts): { readonly name: string; readonly namespace: string } | undefined {
  if (formerOwner !== undefined) return undefined;
  const name = annotations[nameMark];
  return name === undefined ? undefined : { name, namespace: annotations[namespaceMark] ?? "" };
}

/** `release shop in prod`, when the object belongs to another release. */
export function otherOwner(
  live: LiveFacts,
  release: { readonly name: string; readonly namespace: string } | undefined,
): string | undefined {
  const owner = liveOwnerOf(live);
  if (owner === undefined || (owner.name === release?.name && owner.namespace === release.namespace)) return undefined;
  return `release ${owner.name} in ${owner.namespace}`;
}
