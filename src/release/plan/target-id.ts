import type { Target } from "../order/index.ts";

/** How a target is spoken of in the ids of steps. */
export function targetId({ group, version, kind, namespace, name, resource }: Target): string {
  return [resource ?? `${group ?? "*"}/${version ?? "*"}/${kind ?? "*"}`, namespace ?? "*", name ?? "*"].join("/");
}
