import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { ConnectionFault, isForbidden } from "../../kube/index.ts";
import type { Item, ReleaseView } from "../api/index.ts";
import type { ViewContext } from "../view-context.ts";
import { CachedCluster } from "./cached-cluster.ts";
import { ReleaseModel } from "./release-model.ts";

/** Changes within this time are shown together. */
const gatherMs = 30;
/** What changes by time alone is looked at this often; it costs no request. */
const unsettledMs = 5_000;

/** Shows a release: its plan as a graph, how far each object is, what holds it up, and its timeline. */
export async function runRelease(view: ReleaseView, context: ViewContext): Promise<void> {
  const { cluster, signal, publish, notice } = context;
  let changed = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => changed.resolve(), { once: true });
  const cached = new CachedCluster(context, () => changed.resolve());
  const model = new ReleaseModel(view, cached.cluster, signal);
  let shown: ReadonlyMap<string, Item> = new Map();
  while (!signal.aborted) {
    changed = Promise.withResolvers();
    const content = await read(model, view);
    if (signal.aborted) return;
    notice("release", content.problem, { isOutage: content.isOutage === true });
    if (!content.isStale) {
      const items = new Map<string, Item>(content.items);
      const set = [...items].filter(([key, item]) => shown.get(key) !== item);
      publish({ set, remove: [...shown.keys()].filter((key) => !items.has(key)) });
      shown = items;
    }
    const { text, isOutage } = unreadable(cached);
    notice("unreadable", text, { isOutage });
    const dueMs = content.isUnsettled ? unsettledMs : undefined;
    const cancel = dueMs === undefined ? undefined : cluster.clock.after(dueMs, () => changed.resolve(), { background: true });
    await changed.promise;
    cancel?.();
    await sleep(cluster.clock, gatherMs, signal).catch(() => undefined); // the loop ends
  }
}

type ShownContent = {
  readonly items: readonly (readonly [string, Item])[];
  readonly isUnsettled: boolean;
  /** What is shown stays: nothing better is known. */
  readonly isStale: boolean;
  readonly problem?: string;
  /** Because the cluster does not answer. */
  readonly isOutage?: boolean;
};

async function read(model: ReleaseModel, { namespace, name, revision }: ReleaseView): Promise<ShownContent> {
  const what = `${revision === undefined ? "release" : `revision ${revision} of release`} ${name} in ${namespace}`;
  try {
    const content = await model.read();
    if (content !== undefined) return { ...content, isStale: false };
    return { items: [], isUnsettled: false, isStale: false, problem: `There is no ${what}. It is shown as soon as there is one.` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isHidden = isForbidden(error);
    const text = isHidden ? `You may not read ${what}: ${error.message}` : `${what} cannot be read now: ${error.message}`;
    return { items: [], isUnsettled: true, isStale: !isHidden, problem: text, isOutage: error instanceof ConnectionFault };
  }
}

/** What the rest is shown without. */
function unreadable({ faults }: CachedCluster): { readonly text: string | undefined; readonly isOutage: boolean } {
  const [first] = faults;
  if (first === undefined) return { text: undefined, isOutage: false };
  const forbidden = faults.filter(({ because }) => isForbidden(because)).map(({ what }) => what);
  if (forbidden.length === faults.length)
    return { text: `You may not read ${forbidden.join(", ")}: objects are judged by what you may read.`, isOutage: false };
  return { text: `The cluster does not answer, and what is shown may be old: ${first.because.message}`, isOutage: true };
}
