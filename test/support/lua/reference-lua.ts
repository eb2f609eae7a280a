import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { Fault } from "../../../src/core/fault/index.ts";
import { answersIn, driverScript, type LuaProgram } from "./reference.ts";

/** Runs programs with the real Lua and returns their output. */
export function referenceAnswers(binary: string, folder: string, programs: readonly LuaProgram[]): string[] {
  const path = join(folder, "driver.lua");
  writeFileSync(path, driverScript(programs));
  const { status, stdout, stderr } = spawnSync(binary, [path], { env: { TZ: "UTC" }, maxBuffer: 1 << 30, timeout: 120_000 });
  if (status !== 0) throw new Fault(`run ${binary}`, stderr.toString());
  return answersIn(stdout);
}
