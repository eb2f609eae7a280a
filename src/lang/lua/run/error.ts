import type { LuaValue } from "./value.ts";

/**
 * What `error` throws: any value. Not an Error, because collecting a JavaScript stack would cost more than most scripts;
 * at the front door it becomes a LuaFault.
 */
export class LuaError {
  readonly value: LuaValue;

  constructor(value: LuaValue) {
    this.value = value;
  }
}

/** A limit was reached. No `pcall` and no coroutine of the script sees it. */
export class LimitReached {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A script is not Lua, failed or reached a limit. The message begins with the script's name and the line. */
export class LuaFault extends Error {
  readonly reason: "syntax" | "runtime" | "limit";

  constructor(reason: LuaFault["reason"], message: string) {
    super(message);
    this.name = "LuaFault";
    this.reason = reason;
  }
}
