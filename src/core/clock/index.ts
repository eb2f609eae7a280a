/**
 * Time, injectable: the machine's own, run faster, or virtual.
 *
 * Everything that waits takes a Clock; nothing else in Sluice reads the time or sets a timer. It knows nothing of what
 * it wakes.
 */
export { sleep, type Cancel, type Clock } from "./clock.ts";
export { RealClock } from "./real-clock.ts";
export { VirtualClock } from "./virtual-clock.ts";
