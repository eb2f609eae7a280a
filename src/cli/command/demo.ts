import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../fault/index.ts";
import type { Terminal } from "../terminal.ts";
import { apply } from "./apply.ts";

/** Deploys examples/hello to an embedded cluster and shows it happen. */
export async function demo(terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { out, paint } = terminal;
  out(paint.strong("A cluster in this process, and examples/hello deployed to it:"));
  const code = await apply(
    [example("hello")],
    { embedded: true, timeout: 120_000, wait: true as const, forceConflicts: false, output: "text" },
    terminal,
    signal,
  );
  if (code === 0) out(paint.strong("Everything is ready. Try it on a cluster of yours: npx sluice apply examples/hello --context NAME"));
  return code;
}

/** The examples lie beside `dist`, and two folders above this file in the sources. */
function example(name: string): string {
  const places = [
    join(import.meta.dirname, "..", "examples", name),
    join(import.meta.dirname, "..", "..", "..", "examples", name),
    join(import.meta.dirname, "..", "..", "examples", name),
  ];
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new Fault(`find examples/${name}`, "it is not beside the program: run the demo from a clone of Sluice", { final: true });
  return found;
}
