import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Item, View } from "../../../src/dashboard/api/index.ts";
import { LiveView } from "../../../src/dashboard/live-view.ts";
import { runView } from "../../../src/dashboard/run-view.ts";
import type { ViewContext } from "../../../src/dashboard/view-context.ts";
import { SharedInformers } from "../../../src/dashboard/shared-informers.ts";
import { startEmbeddedCluster } from "../../../src/embedded/index.ts";
import { connect, thisMachine, type Cluster } from "../../../src/kube/index.ts";
import { networkOpener } from "../../../src/sveltos/fleet/index.ts";

/** An embedded cluster in virtual time, and a view that looks at it. */
export type ViewUnderTest = {
  readonly clock: VirtualClock;
  readonly cluster: Cluster;
  readonly live: LiveView;
  /** The items of a type, by key. */
  readonly items: <T extends Item>(type: T["type"]) => ReadonlyMap<string, T>;
  readonly end: () => void;
};

/** Opens an embedded cluster. */
export function openTestCluster(): { readonly clock: VirtualClock; readonly cluster: Cluster } {
  const clock = new VirtualClock();
  return { clock, cluster: connect(startEmbeddedCluster({ clock }).exchange, { clock }) };
}

/** Runs a view of a cluster as the server does. A view that fails says so by a notice. */
export function viewOf(
  view: View,
  { clock, cluster }: Pick<ViewUnderTest, "clock" | "cluster">,
  { openManaged = networkOpener(thisMachine(), clock) }: Partial<Pick<ViewContext, "openManaged">> = {},
): ViewUnderTest {
  const live = new LiveView();
  const stop = new AbortController();
  const context = {
    cluster,
    informers: new SharedInformers(cluster),
    openManaged,
    publish: live.publish.bind(live),
    notice: live.notice.bind(live),
    signal: stop.signal,
  };
  runView(view, context).catch((error: unknown) => live.notice("view", String(error)));
  const items = <T extends Item>(type: T["type"]) => new Map(live.items.filter((each): each is [string, T] => each[1].type === type));
  return { clock, cluster, live, items, end: () => stop.abort() };
}
