import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Fault } from "../../../src/core/fault/index.ts";
import { runProgram, type ProgramResult } from "../../cluster/run-program.ts";

/** The environment variable with the path of the browser, for the processes of tests. */
export const chromiumVariable = "SLUICE_TEST_CHROMIUM";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The path of Chromium. Debian's package is installed when there is none. */
export async function findChromium(log: (line: string) => void): Promise<string> {
  const found = installedChromium();
  if (found !== undefined) return found;
  log("there is no chromium here: installing Debian's package with apt-get");
  let problem = await install();
  if (problem !== undefined) {
    // A machine without package lists finds nothing.
    await apt(["update"]);
    problem = await install();
  }
  const installed = installedChromium();
  if (installed !== undefined) return installed;
  throw new Fault("find chromium: install Debian's package chromium, and run this again", problem ?? "it is not on the PATH", {
    final: true,
  });
}

/** The path of the browser that is installed; undefined when there is none. */
function installedChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** Why it cannot be installed; undefined when it is. */
async function install(): Promise<string | undefined> {
  const { code, err } = await apt(["install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"]);
  return code === 0 ? undefined : err.trim();
}

async function apt(args: readonly string[]): Promise<Pick<ProgramResult, "code" | "err">> {
  try {
    // Somebody else may be installing something, and nobody is there to answer questions.
    return await runProgram("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  } catch {
    return { code: 1, err: "there is no apt-get here" };
  }
}
