import { finalizers } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { patchIfUnchanged } from "./patch-if-unchanged.ts";

const finalizer = finalizers.EventTrigger;

/**
 * Adds the finalizer to triggers, and removes it from deleted ones when none of their generated objects is left. Only the
 * first trigger of a name has generated any. False on a conflict.
 */
export async function reconcileFinalizers(
  triggers: readonly KubeObject[],
  hasGenerated: boolean,
  context: Pick<ControllerContext, "hub" | "cache">,
  signal: AbortSignal,
): Promise<boolean> {
  const done = await Promise.all(
    triggers.map((trigger, index) => reconcileFinalizer(trigger, wantsFinalizer(trigger, index === 0 && hasGenerated), context, signal)),
  );
  return done.every(Boolean);
}

function wantsFinalizer({ metadata }: KubeObject, hasGenerated: boolean): boolean {
  return metadata.deletionTimestamp === undefined || hasGenerated;
}

async function reconcileFinalizer(
  trigger: KubeObject,
  wanted: boolean,
  context: Pick<ControllerContext, "hub" | "cache">,
  signal: AbortSignal,
): Promise<boolean> {
  const { finalizers: present = [], deletionTimestamp } = trigger.metadata;
  // No finalizer can be added to an object that is being deleted.
  if (present.includes(finalizer) === wanted || (wanted && deletionTimestamp !== undefined)) return true;
  const others = present.filter((name) => name !== finalizer);
  return patchIfUnchanged(trigger, { metadata: { finalizers: wanted ? [...others, finalizer] : others } }, context, { signal });
}
