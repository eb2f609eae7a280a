import type { NeedTarget } from "../order/index.ts";

/** A target in the ids of steps. */
export function targetId({ group, version, kind, namespace, name, resource }: NeedTarget): string {
  return [resource ?? `${group ?? "*"}/${version ?? "*"}/${kind ?? "*"}`, namespace ?? "*", name ?? "*"].join("/");
}
