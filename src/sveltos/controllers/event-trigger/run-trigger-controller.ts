import type { ControllerContext } from "../context/index.ts";
import { TriggerReconciler } from "./trigger-reconciler.ts";

/** Reconciles all EventTriggers and EventBasedAddOns until the signal aborts. It must run in one replica at a time. */
export async function runTriggerController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const reconciler = new TriggerReconciler(context);
  const synced = Promise.withResolvers<void>();
  const enqueuing = (async () => {
    for await (const event of context.fleet.events(either)) {
      if (event.type === "synced") synced.resolve();
      else reconciler.enqueueCluster(event);
    }
    synced.resolve();
  })();
  try {
    // Before the fleet is synced, an unknown cluster would be taken for a deleted one.
    await synced.promise;
    if (!either.aborted) await reconciler.run(either);
  } finally {
    stop.abort();
    await enqueuing;
  }
}
