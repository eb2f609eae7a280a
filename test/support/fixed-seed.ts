/**
 * Gives property tests the same values in every run, so that a run can be repeated. `SEED=any npm test` looks at others;
 * a failure names the seed it was found with.
 */
import { configureGlobal } from "fast-check";

const asked = process.env["SEED"];
if (asked !== "any") configureGlobal({ seed: Number(asked ?? 20_261_115) });
