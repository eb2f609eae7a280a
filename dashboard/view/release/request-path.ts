import type { ObjectName, ReleaseView } from "../../../src/dashboard/api/index.ts";

type RequestName = "object" | "recording" | "comparison";

/** The path of what is asked about a release. */
export function requestPath(name: RequestName, { context }: ReleaseView, query: Readonly<Record<string, string | number>>): string {
  const texts = Object.entries(query).map(([field, value]) => [field, String(value)]);
  return `/api/c/${encodeURIComponent(context)}/${name}?${new URLSearchParams(texts)}`;
}

/** The path of what is known of an object, and of what a revision of its release says about it. */
export function objectPath(view: ReleaseView, { group, version, kind, namespace, name }: ObjectName, revision: number): string {
  const release = `${view.namespace}/${view.name}`;
  return requestPath("object", view, { group, version, kind, namespace, name, release, revision });
}
