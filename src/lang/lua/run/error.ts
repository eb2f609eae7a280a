import type { LuaValue } from "./value.ts";

/**
 * The value that `error` throws. It is not an Error, because capturing a JavaScript stack would cost more than most scripts.
 * script.ts converts it to a LuaFault.
 */
export class LuaError {
  readonly value: LuaValue;

  constructor(value: LuaValue) {
    this.value = value;
  }
}

/** A limit was exceeded. Neither `pcall` nor a coroutine can catch it. */
export class LimitReached {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A script that has a syntax error, failed or exceeded a limit. The message begins with the script's name and the line. */
export class LuaFault extends Error {
  readonly reason: "syntax" | "runtime" | "limit";

  constructor(reason: LuaFault["reason"], message: string) {
    super(message);
    this.name = "LuaFault";
    this.reason = reason;
  }
}
