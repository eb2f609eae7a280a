/**
 * Add-ons: what is deployed when something happens in a cluster. Each stage of the road is a folder with its own front door
 * (watch, evaluate, report, instantiate, deploy); `ls src/addon` reads as what the product does.
 *
 * Evaluating, reporting and instantiating take values and give values; deploying is done by the release road alone.
 */
export type { Failure, Findings, Match } from "./evaluate/index.ts";
