import type { Extensions } from "../../lua/index.ts";

/** What every script may call beside Lua's own library. */
export const extensions: Extensions = {};
