import { lineFor as lineForProblem } from "../../fault/index.ts";
import { titleOf } from "../../object/index.ts";
import { apply as applyAll, prepare, type Prepared } from "../../release/apply/index.ts";
import { load } from "../../release/load/index.ts";
import { isReady, type Live, type LiveRow } from "../../view/index.ts";
import { exitCodes } from "../failure.ts";
import { openSite, type Site, type SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import { tellerOf, type Teller } from "../teller.ts";
import type { Terminal } from "../terminal.ts";

export type ApplyCommand = SiteOptions & {
  readonly timeout: number;
  readonly wait: boolean;
  readonly forceConflicts: boolean;
  readonly output: "text" | "ndjson";
};

/** Applies what the sources hold and waits until it is ready. */
export async function apply(sources: readonly string[], options: ApplyCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const manifests = await load(sources, surroundings, { signal });
  let aside = terminal.err;
  const site = await openSite(options, (warning) => aside(terminal.paint.warn(`warning: ${warning}`)));
  try {
    const { items: prepared, warnings } = await prepare(manifests, site.cluster, { signal });
    for (const warning of warnings) terminal.err(terminal.paint.warn(`warning: ${lineForProblem(warning)}`));
    const refs = prepared.map(({ ref }) => ref);
    const teller = tellerOf(refs, { output: options.output, clock: site.cluster.clock, cluster: site.name }, terminal);
    aside = teller.aside;
    const stopped = await follow(prepared, site, options, teller, signal);
    if (stopped === undefined) return exitCodes.ok;
    terminal.err(stoppedText(stopped, teller.live()));
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    site.close();
  }
}

/** Applies and tells of it to the end; says why, when it was stopped before that. */
async function follow(
  prepared: readonly Prepared[],
  { cluster }: Site,
  { timeout, forceConflicts, wait }: ApplyCommand,
  teller: Teller,
  interrupt: AbortSignal,
): Promise<string | undefined> {
  const timedOut = new AbortController();
  const cancel = cluster.clock.after(timeout, () => timedOut.abort());
  const signal = AbortSignal.any([interrupt, timedOut.signal]);
  try {
    for await (const progress of applyAll(prepared, cluster, { signal, force: forceConflicts, wait })) teller.tell(progress);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    cancel();
    teller.end();
  }
  if (interrupt.aborted) return "interrupted";
  return timedOut.signal.aborted ? `not ready after ${timeout / 1000} s` : undefined;
}

/** Nothing is left half done without being named. */
function stoppedText(why: string, live: Live): string {
  const rows = [...live.values()];
  const untouched = rows.filter(({ progress }) => progress === undefined);
  if (untouched.length === rows.length) return `error: ${why}; nothing was applied`;
  const unready = rows.filter((row) => row.progress !== undefined && !isReady(row));
  return [
    `error: ${why}; what was applied stays.`,
    ...section("Not ready:", unready, reasonOf),
    ...section("Not applied:", untouched, () => ""),
  ].join("\n");
}

function section(head: string, rows: readonly LiveRow[], reason: (row: LiveRow) => string): readonly string[] {
  return rows.length === 0 ? [] : [head, ...rows.map((row) => `  ${titleOf(row.ref)}${reason(row)}`)];
}

function reasonOf({ progress }: LiveRow): string {
  if (progress?.type === "started") return ": was being applied";
  return progress !== undefined && "because" in progress && progress.because !== undefined
    ? `: ${progress.because}`
    : ": not looked at yet";
}
