import { isForbidden, type Cluster } from "../../kube/index.ts";
import { historyOf } from "./history.ts";
import type { Release } from "./revision.ts";

/** Whether a release is gone: it was deleted, with or without its history. */
export type IsGone = (release: Release) => Promise<boolean>;

/** Reads the records of each release once. A release whose records may not be read counts as there. */
export function goneReleasesIn(cluster: Cluster, signal: AbortSignal): IsGone {
  const known = new Map<string, Promise<boolean>>();
  const read = async (release: Release) => {
    try {
      const latest = await historyOf(cluster).latest(release, { signal });
      return latest === undefined || latest.state === "uninstalled";
    } catch (error) {
      if (isForbidden(error)) return false;
      throw error;
    }
  };
  return (release) => {
    const key = `${release.namespace}/${release.name}`;
    const answer = known.get(key) ?? read(release);
    known.set(key, answer);
    return answer;
  };
}
