import { setFlagsFromString } from "node:v8";

/**
 * How JavaScript is run while a chart is rendered. That is over before much work of optimising compilers pays: the best one
 * is left out, and the other one takes functions one by one, and only those that are called most. The garbage of a moment needs
 * little room.
 */
const flags = ["--no-opt", "--no-maglev-inlining", "--invocation-count-for-maglev=1000", "--semi-space-growth-factor=1"];

/** Settles that for this process. Code that was compiled before fits only the flags it was compiled under. */
export function tuneForRendering(): void {
  for (const flag of flags) setFlagsFromString(flag);
}

/**
 * Lets memory grow by half of what is in use before it is tidied up, where an engine left to itself would let it grow fourfold:
 * for what runs for weeks and must not be taken for larger than it is.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=50");
}
