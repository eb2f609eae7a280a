/**
 * Releases as scenarios: what is deployed, upgraded, rolled back and deleted, what others do meanwhile, and what must then
 * be true of the cluster, of the story and of the records.
 *
 * The same scenarios are played on the embedded cluster in virtual time and on a real control plane. What happened is
 * taken from watches of the cluster and not from what the engine says of itself; expected orders are written by hand from
 * the documentation. A theatre can kill an operation at any point and play it again, and photograph what there is.
 */
export { scenarios } from "./all.ts";
export { embedded, real, type Ground } from "./ground.ts";
export type { Death } from "./mortal.ts";
export { perform, type Performance } from "./perform.ts";
export type { Act, Expectation, Hands, Meanwhile, Scenario } from "./scenario.ts";
export type { Photograph } from "./photograph.ts";
export { Theatre, type Played } from "./theatre.ts";
