import { dependency } from "./case/dependency.ts";
import { external } from "./case/external.ts";
import { hooks } from "./case/hooks.ts";
import { kots } from "./case/kots.ts";
import { mixed } from "./case/mixed.ts";
import { weights } from "./case/weights.ts";
import type { Scenario } from "./scenario.ts";

/** Every scenario there is. */
export const scenarios: readonly Scenario[] = [...hooks, ...weights, ...external, ...dependency, ...kots, ...mixed];
