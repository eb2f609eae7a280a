/** Random histories of profiles that want the same objects: `npm run test:ownership` runs them. */
import "../support/fixed-seed.ts";
import { test } from "node:test";
import { assert, asyncProperty } from "fast-check";
import { ownershipSteps } from "../support/ownership/ownership-steps.ts";
import { playOwnership } from "../support/ownership/ownership-play.ts";

const numRuns = Number(process.env["RUNS"] ?? 60);

test("an object belongs to the best tier that wants it, whatever happens in which order", async () => {
  await assert(
    asyncProperty(ownershipSteps, (steps) => playOwnership(steps)),
    { numRuns, endOnFailure: process.env["SHRINK"] === undefined },
  );
});
