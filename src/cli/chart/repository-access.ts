import { homedir } from "node:os";
import { loadArchive, type Chart, type SchemaLoader } from "../../chart/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { loadChartAt } from "../../release/load/index.ts";
import {
  locateChart,
  openRepositoryEnvironment,
  openSchemaLoader,
  SchemaFetcher,
  type RepositoryAccess,
  type ChartPathOptions,
  type RepositoryEnvironment,
} from "../../repository/index.ts";
import { UsageFault } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** The flags that say how repositories and registries are reached. */
type RepositoryFlags = RepositoryAccess & { readonly timeout?: number };

/** The repositories and registries that are configured for this user. */
export function repositoryEnvironment(
  { timeout }: Pick<RepositoryFlags, "timeout">,
  terminal: Terminal,
  signal: AbortSignal,
): RepositoryEnvironment {
  return openRepositoryEnvironment({
    env: process.env,
    home: process.env["HOME"] || homedir(),
    platform: process.platform,
    clock: new RealClock(),
    warn: (line) => terminal.err(`${terminal.paint.warn("warning")}: ${line}`),
    signal,
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  });
}

/** Loads the chart that a reference names, from a path, a repository or a registry. */
export async function loadChartByReference(
  reference: string,
  choice: ChartPathOptions,
  environment: RepositoryEnvironment,
): Promise<Chart> {
  const found = await locateChart(reference, choice, environment);
  if (found.where !== "fetched") return loadChartAt(found.path, environment.warn);
  try {
    return loadArchive(found.bytes, environment.warn);
  } catch (error) {
    throw new Fault(`load ${found.name}`, error, { final: true });
  }
}

const skipAdvice = "skip the validation with --skip-schema-validation";

/** Loads schemas from any host, as Helm does. */
export function openLocalSchemaLoader(terminal: Terminal, signal: AbortSignal): SchemaLoader {
  const environment = repositoryEnvironment({}, terminal, signal);
  return openSchemaLoader(new SchemaFetcher(environment), { signal, now: () => environment.clock.now(), skipAdvice });
}

/** Refuses a password without a user name, and a certificate without its key. */
export function checkAccessFlags({ username, password, certFile, keyFile }: RepositoryAccess): void {
  if (password !== undefined && username === undefined) throw new UsageFault("--password needs a --username", undefined, { final: true });
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageFault("--cert-file and --key-file go together", undefined, { final: true });
}
