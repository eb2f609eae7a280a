import { setFlagsFromString } from "node:v8";

/**
 * Settles how JavaScript is run while a chart is rendered: that is over before the work of the optimising compiler would pay,
 * and makes little garbage at a time, so both are left out. Compiled code fits only the flags it was compiled under.
 */
export function stayLight(): void {
  setFlagsFromString("--no-opt");
  setFlagsFromString("--semi-space-growth-factor=1");
}
