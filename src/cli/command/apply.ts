import { titleOf } from "../../object/index.ts";
import { apply as applyAll, prepare } from "../../release/apply/index.ts";
import type { Progress } from "../../release/index.ts";
import { load } from "../../release/load/index.ts";
import { lineFor } from "../../view/index.ts";
import { exitCodes } from "../failure.ts";
import { openSite, type Site, type SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
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
  const site = await openSite(options, (warning) => terminal.err(terminal.paint.warn(`warning: ${warning}`)));
  try {
    const prepared = await prepare(manifests, site.cluster, { signal });
    return await follow(prepared, site, options, terminal, signal);
  } finally {
    site.close();
  }
}

async function follow(
  prepared: Awaited<ReturnType<typeof prepare>>,
  site: Site,
  options: ApplyCommand,
  terminal: Terminal,
  interrupt: AbortSignal,
): Promise<number> {
  const { clock } = site.cluster;
  const timedOut = new AbortController();
  const cancel = clock.after(options.timeout, () => timedOut.abort());
  const signal = AbortSignal.any([interrupt, timedOut.signal]);
  const waiting = new Map<string, Progress>();
  try {
    for await (const progress of applyAll(prepared, site.cluster, { signal, force: options.forceConflicts, wait: options.wait })) {
      note(progress, waiting);
      terminal.out(
        options.output === "ndjson"
          ? JSON.stringify({ at: new Date(clock.now()).toISOString(), ...progress, cluster: site.name })
          : lineFor(progress, terminal.paint),
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    cancel();
  }
  if (!signal.aborted) return exitCodes.ok;
  terminal.err(stoppedText(interrupt.aborted ? "interrupted" : `not ready after ${options.timeout / 1000} s`, [...waiting.values()]));
  return interrupt.aborted ? exitCodes.interrupted : exitCodes.failed;
}

/** Keeps the last word of everything that is not ready yet. */
function note(progress: Progress, waiting: Map<string, Progress>): void {
  const key = `${progress.ref.kind}/${progress.ref.namespace}/${progress.ref.name}`;
  if (progress.type === "finished" && progress.verb === "await") waiting.delete(key);
  else if (progress.type === "waiting" || progress.type === "finished") waiting.set(key, progress);
}

function stoppedText(why: string, waiting: readonly Progress[]): string {
  const lines = waiting.map((progress) => {
    const because = "because" in progress && progress.because !== undefined ? progress.because : "not looked at yet";
    return `  ${titleOf(progress.ref)}: ${because}`;
  });
  return [`error: ${why}; what was applied stays. Not ready:`, ...lines].join("\n");
}
