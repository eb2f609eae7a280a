/** What must work beside the documented examples, by theme, on any stage. */
import type { Scenario } from "../stage.ts";
import { events } from "./events.ts";
import { triggers } from "./triggers.ts";

export const themes: Readonly<Record<string, readonly Scenario[]>> = { events, triggers };
