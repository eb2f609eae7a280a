import { documentTargets } from "./document-targets.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { languageTargets } from "./language-targets.ts";
import { wireTargets } from "./wire-targets.ts";

/** Every parser and engine that reads what others have written. */
export const targets: Readonly<Record<string, FuzzTarget>> = { ...languageTargets, ...documentTargets, ...wireTargets };
