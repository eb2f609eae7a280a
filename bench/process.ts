import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds per tick of the kernel's accounting. */
const tickMs = 10;

/** The CPU time of a process so far, user and system, in milliseconds; with `children`, of its ended children. */
export function cpuMsOf(pid: number | "self", { children = false } = {}): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = children ? [13, 14] : [11, 12];
  return (Number(fields[user!]) + Number(fields[system!])) * tickMs;
}

/** The memory of a process that is in RAM now, in MiB. */
export function residentMiBOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Runs Node and returns its output. */
export function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(text) : reject(new Error(`node ${args.join(" ")} ended with ${code}`))));
  });
}

/** The cost of a program: wall clock, and CPU with that of its children. */
export type ProcessCost = { readonly wallMs: number; readonly cpuMs: number };

/** Runs a program; a failure throws its output. Other children that end meanwhile would be counted too. */
export function measureProgram(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProcessCost> {
  const cpuBefore = cpuMsOf("self", { children: true });
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      const cost = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf("self", { children: true }) - cpuBefore };
      if (code === 0) resolve(cost);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${text.slice(-4000)}`));
    });
  });
}
