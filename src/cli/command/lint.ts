import { BadInput, lineFor, type Problem } from "../../fault/index.ts";
import { load } from "../../release/load/index.ts";
import { order } from "../../release/order/index.ts";
import { exitCodes } from "../failure.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type LintCommand = { readonly namespace?: string; readonly output: "text" | "json" };

type Findings = { readonly objects: number; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Says what is wrong with the order that the sources ask for, without a cluster. Exit code 1 when something is; warnings alone are none. */
export async function lint(sources: readonly string[], options: LintCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const findings = await findingsIn(sources, options.namespace ?? "default", signal);
  if (options.output === "json") terminal.out(JSON.stringify(findings, undefined, 2));
  else show(findings, terminal);
  return findings.problems.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** What cannot be read as manifests is a finding like any other. */
async function findingsIn(sources: readonly string[], namespace: string, signal: AbortSignal): Promise<Findings> {
  try {
    const manifests = await load(sources, surroundings, { signal });
    const { problems, warnings } = order(manifests, { namespace });
    return { objects: manifests.length, problems, warnings };
  } catch (error) {
    if (error instanceof BadInput) return { objects: 0, problems: error.problems, warnings: [] };
    throw error;
  }
}

function show({ objects, problems, warnings }: Findings, { out, paint }: Terminal): void {
  for (const problem of problems) out(`${paint.bad("error")}: ${lineFor(problem)}`);
  for (const warning of warnings) out(`${paint.warn("warning")}: ${lineFor(warning)}`);
  if (problems.length + warnings.length === 0) return out(`${counted(objects, "object")}, nothing to complain of`);
  out(`${counted(problems.length, "error")}, ${counted(warnings.length, "warning")}`);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
