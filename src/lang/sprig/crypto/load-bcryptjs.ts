import { createRequire } from "node:module";
import type * as Bcryptjs from "bcryptjs";

/** Loads the library when it is first needed. `tools/build/lazy-libraries.ts` has this file's counterpart in a bundle. */
export function loadBcryptjs(): typeof Bcryptjs {
  return createRequire(import.meta.url)("bcryptjs") as typeof Bcryptjs;
}
