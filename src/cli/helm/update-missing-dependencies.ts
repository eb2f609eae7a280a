import { statSync } from "node:fs";
import { missingDependencies } from "../../chart/index.ts";
import { loadChartAt } from "../../release/load/index.ts";
import type { ChartPathOptions } from "../../repository/index.ts";
import type { Terminal } from "../terminal.ts";

/** How long a repository or a registry may take to answer. */
const answerTimeoutMs = 120_000;

type DependencyUpdateFlags = ChartPathOptions & { readonly dependencyUpdate: boolean };

/** Has `dependency update` fetch what `charts/` lacks, when the flag asks for it. A packed or remote chart is left as it is. */
export async function updateMissingDependencies(
  chart: string,
  { dependencyUpdate, verify: _verify, keyring: _keyring, ...access }: DependencyUpdateFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (!dependencyUpdate || access.repo !== undefined || statSync(chart, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  if (missingDependencies(loadChartAt(chart)).length === 0) return;
  const { fetchDependencies } = await import("../command/dependency.ts");
  const { insecureSkipTlsVerify = false, plainHttp = false } = access;
  // A folder cannot be verified, and `--verify` is refused for it.
  const flags = { ...access, insecureSkipTlsVerify, plainHttp, verify: false, skipRefresh: false, timeout: answerTimeoutMs };
  await fetchDependencies("update", chart, flags, { ...terminal, out: terminal.err }, signal);
}
