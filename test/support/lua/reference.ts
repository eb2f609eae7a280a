import { compileLua, LuaFault } from "../../../src/lang/lua/index.ts";
import { brokenProgram } from "./broken-program.ts";
import { ProgramGenerator } from "./program-generator.ts";

/** A program, and whether it is run or only parsed. */
export type LuaProgram = { readonly seed: number; readonly source: string; readonly runs: boolean };

/** Generates a program. Every fourth one is broken. */
export function generateProgram(seed: number): LuaProgram {
  const runs = seed % 4 !== 3;
  return { seed, source: runs ? new ProgramGenerator(seed).program() : brokenProgram(seed), runs };
}

const mark = "\u0001";

/** A Lua script that runs programs one after another with separate globals, and prints the output of each. */
export function driverScript(programs: readonly LuaProgram[]): string {
  const chunks = programs.map(({ source, runs }) => `{${runs}, ${luaString(source)}}`);
  return `local programs = {${chunks.join(",\n")}}
for i, p in ipairs(programs) do
  local lines = {}
  local env = setmetatable({}, {__index = _G})
  env._G = env
  env.print = function(...)
    local parts = {}
    for j = 1, select("#", ...) do parts[j] = tostring((select(j, ...))) end
    lines[#lines + 1] = table.concat(parts, "\\t")
  end
  local f, message = loadstring(p[2], "=script")
  if not f then lines[1] = "syntax: " .. message
  elseif p[1] then
    setfenv(f, env)
    local ok, err = pcall(f)
    if not ok then lines[#lines + 1] = "error: " .. tostring(err) end
  end
  io.write(table.concat(lines, "\\n"), "${mark}")
end`;
}

function luaString(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  return `"${[...bytes].map((byte) => (byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, "0")}`)).join("")}"`;
}

/** Splits the output of the driver by program. */
export function answersIn(output: Buffer): string[] {
  return output
    .toString("latin1")
    .split(mark)
    .slice(0, -1)
    .map((answer) => withoutVariableParts(Buffer.from(answer, "latin1").toString("utf8")));
}

/** The output of our own Lua, in the same form. */
export function ownAnswer({ source, runs }: LuaProgram): string {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  try {
    const script = compileLua(source, "script");
    if (runs) script.run({ host: { print } });
  } catch (error) {
    if (!(error instanceof LuaFault)) throw error;
    lines.push(error.reason === "syntax" ? `syntax: ${error.message}` : `error: ${error.message}`);
  }
  return withoutVariableParts(lines.join("\n"));
}

/** Removes what varies: the sign of NaN, the sign of a constant 0, and addresses. */
function withoutVariableParts(text: string): string {
  return text
    .replaceAll("-nan", "nan")
    .replaceAll(/0x[0-9a-f]{6,}/g, "0x")
    .replaceAll(/(?<![\w.])-0(?![\w.])/g, "0");
}

/** Whether an answer is a quirk of lua5.1, which rejects nested brackets in long strings. */
export function isQuirk(answer: string): boolean {
  return answer.includes("nesting of [[...]] is deprecated");
}
