import { homedir } from "node:os";
import { loadArchive, type Chart } from "../chart/index.ts";
import { RealClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { loadChartAt } from "../release/load/index.ts";
import { locateChart, outsideOf, type Access, type ChartChoice, type Outside } from "../repository/index.ts";
import { Usage } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** How the flags say that repositories and registries are reached. */
export type FetchOptions = Access & { readonly timeout?: number };

/** The repositories and registries as this machine and its user know them. */
export function outsideFor({ timeout }: Pick<FetchOptions, "timeout">, terminal: Terminal, signal: AbortSignal): Outside {
  return outsideOf({
    env: process.env,
    home: process.env["HOME"] || homedir(),
    platform: process.platform,
    clock: new RealClock(),
    warn: (line) => terminal.err(`${terminal.paint.warn("warning")}: ${line}`),
    signal,
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  });
}

/** Loads the chart that somebody means, from wherever it is. */
export async function loadChartFrom(reference: string, choice: ChartChoice, outside: Outside): Promise<Chart> {
  const found = await locateChart(reference, choice, outside);
  if (found.where !== "fetched") return loadChartAt(found.path, outside.warn);
  try {
    return loadArchive(found.bytes, outside.warn);
  } catch (error) {
    throw new Fault(`load ${found.name}`, error, { final: true });
  }
}

/** Names and passwords come in pairs, certificates and keys too. */
export function checkAccess({ username, password, certFile, keyFile }: Access): void {
  if (password !== undefined && username === undefined) throw new Usage("--password needs a --username", undefined, { final: true });
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Usage("--cert-file and --key-file go together", undefined, { final: true });
}
