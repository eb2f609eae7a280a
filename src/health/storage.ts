import { booleanAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { failed, progressing, ready, readyWith, type Health } from "./health.ts";

export function persistentVolumeClaim(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Bound") return ready;
  if (phase === "Lost") return failed("its volume is lost");
  return progressing("not bound to a volume yet; some storage classes bind when the first pod uses it");
}

export function persistentVolume(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Failed") return failed(stringAt(object, "status.message") || "its reclamation failed");
  if (phase === "Released") return readyWith("released by its claim and not reclaimed yet");
  return phase === "Pending" ? progressing("not available yet") : ready;
}

/** Attaching is tried again by itself. */
export function volumeAttachment(object: KubeObject): Health {
  if (booleanAt(object, "status.attached")) return ready;
  return progressing(stringAt(object, "status.attachError.message") || "not attached yet");
}
