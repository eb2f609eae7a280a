import { isAbsolute } from "node:path";
import { locateChart } from "../../repository/index.ts";
import { repositoryEnvironment } from "../chart/repository-access.ts";
import { verificationLines } from "../chart/verification-lines.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { VerifyFlags } from "../command-group/chart.ts";

/** Verifies a packed chart by the provenance file beside it, and prints who has signed it. */
export async function verify(chart: string, { keyring }: VerifyFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (/^(oci|https?):/.test(chart))
    throw new UsageFault(`${chart} is not a file: sluice pull --verify fetches and verifies it`, undefined, { final: true });
  const path = isAbsolute(chart) ? chart : `./${chart}`;
  const found = await locateChart(
    path,
    { verify: true, ...(keyring === undefined ? {} : { keyring }) },
    repositoryEnvironment({}, terminal, signal),
  );
  if ("verified" in found && found.verified !== undefined) for (const line of verificationLines(found.verified)) terminal.out(line);
  return exitCodes.ok;
}
