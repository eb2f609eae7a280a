/** What must work beside the documented examples, by theme, on any stage. */
import type { Scenario } from "../stage.ts";
import { cleanUp } from "./clean-up.ts";
import { errors } from "./errors.ts";
import { events } from "./events.ts";
import { profiles } from "./profiles.ts";
import { running } from "./running.ts";
import { triggers } from "./triggers.ts";

export const themes: Readonly<Record<string, readonly Scenario[]>> = { events, triggers, profiles, "clean-up": cleanUp, errors, running };
