import { finalizers } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { patchIfUnchanged } from "./patch-if-unchanged.ts";

const finalizer = finalizers.EventTrigger;

/**
 * Keeps our finalizer on triggers, and takes it off those that are being deleted once nothing is left of what they made.
 * Only the first one has made anything. False when somebody else has changed one meanwhile.
 */
export async function reconcileFinalizers(
  triggers: readonly KubeObject[],
  hasMade: boolean,
  context: Pick<ControllerContext, "hub" | "cache">,
  signal: AbortSignal,
): Promise<boolean> {
  const done = await Promise.all(
    triggers.map((trigger, index) => reconcileFinalizer(trigger, wantsFinalizer(trigger, index === 0 && hasMade), context, signal)),
  );
  return done.every(Boolean);
}

function wantsFinalizer({ metadata }: KubeObject, hasMade: boolean): boolean {
  return metadata.deletionTimestamp === undefined || hasMade;
}

async function reconcileFinalizer(
  trigger: KubeObject,
  wanted: boolean,
  context: Pick<ControllerContext, "hub" | "cache">,
  signal: AbortSignal,
): Promise<boolean> {
  const { finalizers: there = [], deletionTimestamp } = trigger.metadata;
  // None can be added to what is being deleted.
  if (there.includes(finalizer) === wanted || (wanted && deletionTimestamp !== undefined)) return true;
  const others = there.filter((name) => name !== finalizer);
  return patchIfUnchanged(trigger, { metadata: { finalizers: wanted ? [...others, finalizer] : others } }, context, { signal });
}
