import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

/** Loads the library when it is first needed. `tools/build/lazy-libraries.ts` has this file's counterpart in a bundle. */
export function loadRe2js(): { readonly RE2JS: typeof RE2JS } {
  return createRequire(import.meta.url)("re2js") as { RE2JS: typeof RE2JS };
}
