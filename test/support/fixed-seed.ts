/** Fixes the seed of property tests, so that runs are reproducible. `SEED=any npm test` uses a random one, and a failure names its seed. */
import { configureGlobal } from "fast-check";

const asked = process.env["SEED"];
if (asked !== "any") configureGlobal({ seed: Number(asked ?? 20_261_115) });
