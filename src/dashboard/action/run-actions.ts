import type { ViewContext } from "../view-context.ts";
import type { ActionList } from "./action-list.ts";

/** Shows the actions that the visitor has started in a context. */
export async function runActions(list: ActionList, { publish, signal }: Pick<ViewContext, "publish" | "signal">): Promise<void> {
  publish({ set: list.items.map((item) => [item.id, item] as const) });
  const end = list.subscribe(({ set, remove }) =>
    publish({ ...(set === undefined ? {} : { set: [[set.id, set] as const] }), ...(remove === undefined ? {} : { remove: [remove] }) }),
  );
  signal.addEventListener("abort", end, { once: true });
}
