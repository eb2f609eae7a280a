import { readFileSync } from "node:fs";
import type { Cancel, Clock } from "../core/clock/index.ts";

/** How a process learns of those above it: their ids and names. */
export type ProcessTree = {
  readonly parent: () => number;
  /** The name and the parent of a process; undefined when there is none, or the system does not say. */
  readonly look: (pid: number) => { readonly name: string; readonly parent: number } | undefined;
};

const lookEveryMs = 1000;
/** npm, its shell, and a Node that is too old and runs another one. */
const maxDepth = 4;

/**
 * Calls `onGone` when the npx that runs this program is gone, or its shell, which passes no signal on. No system tells a process
 * that another one above it has ended, so this looks every second. Returns undefined when no npx runs it.
 */
export function watchNpx(clock: Clock, onGone: () => void, command = process.env["npm_command"], tree = systemTree): Cancel | undefined {
  if (command !== "exec") return undefined;
  const chain = chainToNpm(tree);
  const isGone = () => tree.parent() !== chain[0] || chain.slice(1).some((pid, at) => tree.look(chain[at]!)?.parent !== pid);
  const again = (): Cancel =>
    clock.after(
      lookEveryMs,
      () => {
        if (isGone()) onGone();
        else cancel = again();
      },
      { background: true },
    );
  let cancel = again();
  return () => cancel();
}

/** The parent, and those above it up to npm; the parent alone when npm is not found there. */
function chainToNpm({ parent, look }: ProcessTree): readonly number[] {
  const chain = [parent()];
  for (let depth = 1; depth <= maxDepth; depth++) {
    const above = look(chain.at(-1)!);
    if (above === undefined) break;
    if (/^(npm|npx)\b/.test(above.name)) return chain;
    chain.push(above.parent);
  }
  return chain.slice(0, 1);
}

const systemTree: ProcessTree = {
  parent: () => process.ppid,
  look: (pid) => {
    try {
      const [, name = "", parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return { name, parent: Number(parent) };
    } catch {
      return undefined; // it has ended, or there is no /proc
    }
  },
};
