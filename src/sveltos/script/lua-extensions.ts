import type { Extensions } from "../../lang/lua/index.ts";
import { globalFunctions } from "./global-functions.ts";
import { jsonModule } from "./json-module.ts";
import { runesModule } from "./runes-module.ts";
import { sprigModule } from "./sprig-module.ts";
import { stringsModule } from "./strings-module.ts";

/** What every script may call beside Lua's standard library. */
export const luaExtensions: Extensions = {
  modules: { json: jsonModule, runes: runesModule, sprig: sprigModule, strings: stringsModule },
  globals: globalFunctions,
};
