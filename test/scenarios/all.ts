import { hooks } from "./case/hooks.ts";
import type { Scenario } from "./scenario.ts";

/** Every scenario there is. */
export const scenarios: readonly Scenario[] = [...hooks];
