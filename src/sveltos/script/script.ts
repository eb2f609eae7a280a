import { compileLua, LuaFault, type LuaJson, type LuaLimits, type LuaRunOptions, type LuaHost } from "../../lang/lua/index.ts";
import { luaExtensions } from "./lua-extensions.ts";

/** The clock and randomness of a script. By default the time is always 1970 and nothing is random. */
export type ScriptEnvironment = Partial<LuaHost>;

/** A compiled script. Throws a ScriptFault. */
export type Script = (value: unknown) => unknown;

/** An error of a script, in words for its author. */
export class ScriptFault extends Error {
  override readonly name = "ScriptFault";
  /** The script exceeded its limits: another run would exceed them too. */
  readonly isLimit: boolean;

  constructor(message: string, isLimit = false) {
    super(message);
    this.isLimit = isLimit;
  }
}

type ScriptOptions = {
  /** The global variable that holds the value: `obj`, `resources`. */
  readonly global: string;
  /** Default: about a millisecond, a thousand times what scripts usually need. */
  readonly limits?: LuaLimits;
  readonly environment?: ScriptEnvironment;
};

const defaultLimits: LuaLimits = { steps: 200_000, memory: 64 << 20 };
/** The limits of a script that gets all objects at once. */
export const aggregationLimits: LuaLimits = { steps: 20_000_000, memory: 512 << 20 };

/**
 * Compiles a Lua script as Sveltos runs it: the chunk runs first, then `evaluate` is called with the value, which is also
 * a global. `title` names the script in messages. Throws a ScriptFault for a syntax error.
 */
export function compileScript(text: string, title: string, { global, limits = defaultLimits, environment = {} }: ScriptOptions): Script {
  const script = compileOrFault(text, title);
  // Allocated once: this is the hottest call of the controller.
  const globals: Record<string, LuaJson> = {};
  const options: LuaRunOptions = { limits, extensions: luaExtensions, host: environment, globals };
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
