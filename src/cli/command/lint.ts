import { BadInput, lineFor, type Problem } from "../../fault/index.ts";
import { examine } from "../../release/apply/index.ts";
import { load } from "../../release/load/index.ts";
import { order } from "../../release/order/index.ts";
import type { Manifest } from "../../yaml/index.ts";
import { exitCodes } from "../failure.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type LintCommand = Omit<SiteOptions, "embedded"> & { readonly output: "text" | "json" };

type Findings = { readonly objects: number; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/**
 * Says what is wrong with the order that the sources ask for; a cluster is asked only when the flags name one. Exit code 1
 * when something is wrong; warnings alone are no failure.
 */
export async function lint(sources: readonly string[], options: LintCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const findings = await findingsIn(sources, options, terminal, signal);
  if (options.output === "json") terminal.out(JSON.stringify(findings, undefined, 2));
  else show(findings, terminal);
  return findings.problems.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** What cannot be read as manifests is a finding like any other. */
async function findingsIn(sources: readonly string[], options: LintCommand, terminal: Terminal, signal: AbortSignal): Promise<Findings> {
  try {
    const manifests = await load(sources, surroundings, { signal });
    const { problems, warnings } = await judge(manifests, options, terminal, signal);
    return { objects: manifests.length, problems, warnings };
  } catch (error) {
    if (error instanceof BadInput) return { objects: 0, problems: error.problems, warnings: [] };
    throw error;
  }
}

async function judge(
  manifests: readonly Manifest[],
  options: LintCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Omit<Findings, "objects">> {
  const { output: _output, ...where } = options;
  const { context, kubeconfig, namespace = "default" } = where;
  if (context === undefined && kubeconfig === undefined) return order(manifests, { namespace });
  return onCluster(where, terminal, ({ cluster }) => examine(manifests, cluster, { signal }));
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
