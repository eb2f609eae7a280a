import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { podTotals, quantityOf } from "../../builtin/index.ts";

/** The unit that the kubelet counts a resource in, in billionths: bytes, and thousandths of a cpu. */
const units = [
  ["memory", 1_000_000_000n],
  ["cpu", 1_000_000n],
] as const;

/** Why a node can never give a Pod what it requests; undefined when it can. Models pkg/kubelet/allocation/allocation_manager.go canResizePod */
export function insufficientCapacity({ spec }: Pod, node: KubeObject): string | undefined {
  const requests = podTotals(spec, "requests");
  const allocatable = fieldsAt(node, "status.allocatable");
  for (const [name, unit] of units) {
    const requested = ((requests.get(name)?.nano ?? 0n) + unit - 1n) / unit;
    const capacity = quantityOf(allocatable[name]).nano / unit;
    if (requested > capacity) return `Node didn't have enough capacity: ${name}, requested: ${requested}, capacity: ${capacity}`;
  }
  return undefined;
}
