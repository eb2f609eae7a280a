import { asPod, type Pod } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf } from "../controller.ts";
import { claimNamesOf } from "../scheduler/index.ts";

/** Indexes the pods that use each claim: bound to a node and not terminal. Models pkg/controller/volume/pvcprotection */
export class ClaimUserIndex {
  readonly #users = new Map<string, Set<string>>();

  /** Indexes a pod event; returns the claims that the pod uses or used. */
  observe({ type, object, previous }: StoreEvent): readonly string[] {
    const key = namespacedKeyOf(object);
    const pod = asPod(object);
    if (pod.spec["volumes"] === undefined) return [];
    const wasUsing = previous !== undefined && uses(asPod(previous));
    const isUsing = type !== "DELETED" && uses(pod);
    if (type === "MODIFIED" && wasUsing === isUsing) return [];
    const claims = claimNamesOf(pod).map((name) => `${pod.metadata.namespace ?? ""}/${name}`);
    for (const claim of claims) {
      const users = this.#users.get(claim) ?? new Set();
      this.#users.set(claim, users);
      if (isUsing) users.add(key);
      else users.delete(key);
      if (users.size === 0) this.#users.delete(claim);
    }
    return claims;
  }

  isUsed(claim: string): boolean {
    return this.#users.has(claim);
  }
}

function uses({ spec, status }: Pod): boolean {
  return spec.nodeName !== undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}
