/**
 * Time, injectable: the machine's own, accelerated, or virtual.
 *
 * Everything that waits takes a Clock. Nothing else in Sluice reads the time or sets a timer. It does not know what it
 * wakes.
 */
export { sleep, type Cancel, type Clock } from "./clock.ts";
export { RealClock } from "./real-clock.ts";
export { VirtualClock } from "./virtual-clock.ts";
export { withTimeout } from "./with-timeout.ts";
