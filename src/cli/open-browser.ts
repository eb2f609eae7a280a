import { spawn } from "node:child_process";
import { platform } from "node:os";

/** The program that opens an address in the browser, and what it is started with. No shell reads the address. */
function openerOf(url: string): readonly [program: string, ...args: readonly string[]] {
  if (platform() === "darwin") return ["open", url];
  if (platform() === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}

/** Opens an address in the browser. Resolves with what went wrong; undefined when the browser was started. */
export function openBrowser(url: string): Promise<string | undefined> {
  const [program, ...args] = openerOf(url);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true });
    child.once("error", (error) => resolve(`${program}: ${error.message}`));
    child.once("spawn", () => {
      child.unref();
      resolve(undefined);
    });
  });
}
