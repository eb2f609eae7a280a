import { booleanAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { failedBecause, progressingBecause, ready, readyWith, type Health } from "./health.ts";

export function persistentVolumeClaimHealth(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Bound") return ready;
  if (phase === "Lost") return failedBecause("its volume is lost");
  return progressingBecause("not bound to a volume yet; some storage classes bind when the first pod uses it");
}

export function persistentVolumeHealth(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Failed") return failedBecause(stringAt(object, "status.message") || "its reclamation failed");
  if (phase === "Released") return readyWith("released by its claim and not reclaimed yet");
  return phase === "Pending" ? progressingBecause("not available yet") : ready;
}

/** Attaching is retried automatically. */
export function volumeAttachmentHealth(object: KubeObject): Health {
  if (booleanAt(object, "status.attached")) return ready;
  return progressingBecause(stringAt(object, "status.attachError.message") || "not attached yet");
}
