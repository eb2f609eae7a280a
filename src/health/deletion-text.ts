import { findCondition, stringsAt, type KubeObject } from "../core/object/index.ts";

/** What an object that is being deleted waits for: its finalizers, and why they are kept where it says so. */
export function deletionText(object: KubeObject): string {
  const finalizers = stringsAt(object, "metadata.finalizers");
  const blocked = findCondition(object, "WithdrawalBlocked", "True")?.message ?? "";
  const kept = finalizers.length === 0 ? "" : `, kept by the finalizers ${finalizers.join(", ")}`;
  return `being deleted${kept}${blocked === "" ? "" : `: ${blocked}`}`;
}
