import { jsonCases } from "./case/json-cases.ts";
import { listCases } from "./case/list-cases.ts";
import { strategicCases } from "./case/strategic-cases.ts";
import { targetCases } from "./case/target-cases.ts";
import type { PatchCase } from "./patch-case.ts";

const topics = { "strategic merge": strategicCases, lists: listCases, "JSON patch": jsonCases, target: targetCases };

/** All cases, each with its topic in its name. */
export const patchCases: readonly PatchCase[] = Object.entries(topics).flatMap(([topic, cases]) =>
  cases.map((each) => ({ ...each, what: `${topic}: ${each.what}` })),
);
