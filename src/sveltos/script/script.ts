import { compileLua, LuaFault, type LuaJson, type LuaLimits, type LuaHost } from "../../lang/lua/index.ts";
import { luaExtensions } from "./lua-extensions.ts";

/** What scripts see of the world outside: the time and chance. By default it is always 1970, and never random. */
export type ScriptEnvironment = Partial<LuaHost>;

/** A script that is ready to be asked. Throws a ScriptFault. */
export type Script = (value: unknown) => unknown;

/** What is wrong with a script, in words for the person who wrote it. */
export class ScriptFault extends Error {
  override readonly name = "ScriptFault";
  /** It took more than it may take: to ask again would take as much. */
  readonly isLimit: boolean;

  constructor(message: string, isLimit = false) {
    super(message);
    this.isLimit = isLimit;
  }
}

export type ScriptOptions = {
  /** The name under which the script finds the value: `obj`, `resources`. */
  readonly global: string;
  /** How much it may do: about a millisecond, by default, which is a thousand times what is asked of scripts. */
  readonly limits?: LuaLimits;
  readonly environment?: ScriptEnvironment;
};

const defaultLimits: LuaLimits = { steps: 200_000, memory: 64 << 20 };
/** For a script that looks at all objects at once. */
export const aggregationLimits: LuaLimits = { steps: 20_000_000, memory: 512 << 20 };

/**
 * Prepares a Lua script as Sveltos runs them: the text is run first, then the value is set as a global and handed to the
 * function `evaluate`, too. `title` is what messages call the script. Throws a ScriptFault if it is no Lua.
 */
export function compileScript(text: string, title: string, { global, limits = defaultLimits, environment = {} }: ScriptOptions): Script {
  const script = compileOrFault(text, title);
  // Made once, since scripts are asked more often than anything else is done.
  const globals: Record<string, LuaJson> = {};
  const options = { limits, extensions: luaExtensions, host: environment, globals };
  return (value) => {
    globals[global] = value as LuaJson;
    try {
      return script.call("evaluate", [value as LuaJson], options)[0];
    } catch (error) {
      throw faultOf(error);
    }
  };
}

function compileOrFault(text: string, title: string): ReturnType<typeof compileLua> {
  try {
    return compileLua(text, title);
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): unknown {
  return error instanceof LuaFault ? new ScriptFault(error.message, error.reason === "limit") : error;
}
