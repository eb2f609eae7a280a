import { ConnectionFault } from "../../kube/index.ts";
import type { OverviewRelease } from "../api/index.ts";
import { coalesce } from "../coalesce.ts";
import type { ViewContext } from "../view-context.ts";
import { LatestRevisions, releaseKey } from "./latest-revisions.ts";
import { PendingReleases } from "./pending-releases.ts";
import { releaseItemOf, withoutContent } from "./record-outline.ts";

const secret = { group: "", version: "v1", kind: "Secret" };

/** Shows the latest revision of every release, by Helm's records, and of those that are being deployed what they wait for. */
export async function showReleases(context: ViewContext): Promise<void> {
  const { cluster, informers, publish, notice, signal } = context;
  const revisions = new LatestRevisions();
  const changed = new Set<string>();
  const pending = new Map<string, OverviewRelease>();
  const publishChanged = coalesce(cluster.clock, signal, () => {
    const keys = [...changed].map((key) => [key, revisions.latest(key)] as const);
    changed.clear();
    for (const [key, item] of keys) {
      if (item?.state.startsWith("pending") === true || item?.state === "uninstalling") pending.set(key, item);
      else pending.delete(key);
    }
    waits.follow(pending);
    publish({
      set: keys.flatMap(([key, item]) => (item === undefined ? [] : [[key, withWait(item, waits.waitOf(key))] as const])),
      remove: keys.flatMap(([key, item]) => (item === undefined ? [key] : [])),
    });
  });
  const waits = new PendingReleases(context, (key) => {
    changed.add(key);
    publishChanged();
  });
  for await (const event of informers.use(secret, { labelSelector: "owner=helm", transform: withoutContent }, signal)) {
    if (event.type === "interrupted") {
      const isOutage = event.because instanceof ConnectionFault;
      notice("releases", `Releases cannot be read now: ${event.because.message}`, { isOutage });
    }
    if (event.type === "synced") notice("releases", undefined);
    const item = "object" in event ? releaseItemOf(event.object) : undefined;
    if (item === undefined) continue;
    if (event.type === "deleted") revisions.remove(item);
    else revisions.put(item);
    changed.add(releaseKey(item));
    publishChanged();
  }
}

function withWait(item: OverviewRelease, wait: string | undefined): OverviewRelease {
  return wait === undefined ? item : { ...item, because: wait };
}
