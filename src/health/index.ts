/**
 * Tells how an object is doing: ready, progressing or failed, always with the reason.
 *
 * Pure. It judges one object by itself; what its pods say is handed in. It knows no cluster and no clock, and no rule in it
 * is about a single third-party kind.
 */
export { assess } from "./assess.ts";
export { explain } from "./explain.ts";
export { isDenial } from "./refusal.ts";
export { makesRoom } from "./room.ts";
export { failed, progressing, ready, readyWith, silent, withoutRoom, type Health, type KindFacts, type NoRoom } from "./health.ts";
export { isOfTemplate } from "./template.ts";
export { witnessesOf, type Witness } from "./witness.ts";
export { lastEndOf, troubleOf, type Trouble } from "./trouble.ts";
