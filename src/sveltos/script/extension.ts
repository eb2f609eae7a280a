import type { Extensions } from "../../lang/lua/index.ts";
import { helpers } from "./helpers.ts";
import { json } from "./json.ts";
import { runes } from "./runes.ts";
import { sprig } from "./sprig.ts";
import { strings } from "./strings.ts";

/** What every script may call beside Lua's own library. */
export const extensions: Extensions = { modules: { json, runes, sprig, strings }, globals: helpers };
