import { lineFor as lineForProblem } from "../../core/fault/index.ts";
import { apply as applyAll, prepare } from "../../release/apply/index.ts";
import { load } from "../../release/load/index.ts";
import { follow } from "../follow.ts";
import { openSite, type SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import { tellerOf } from "../teller.ts";
import type { Terminal } from "../terminal.ts";
import { waitOf, type Waiting } from "../waiting.ts";

export type ApplyCommand = SiteOptions &
  Waiting & {
    readonly timeout: number;
    readonly forceConflicts: boolean;
    readonly parallel?: number;
    readonly output: "text" | "ndjson";
  };

/** Applies what the sources hold and waits until it is ready. */
export async function apply(sources: readonly string[], options: ApplyCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, timeout, forceConflicts: force, parallel } = options;
  const manifests = await load(sources, surroundings, { signal });
  let aside = terminal.err;
  const site = await openSite(options, (warning) => aside(terminal.paint.warn(`warning: ${warning}`)));
  try {
    const { items, warnings } = await prepare(manifests, site.cluster, { signal });
    for (const warning of warnings) terminal.err(terminal.paint.warn(`warning: ${lineForProblem(warning)}`));
    const teller = tellerOf({ output, clock: site.cluster.clock, cluster: site.name }, terminal);
    aside = teller.aside;
    const limits = { timeoutMs: timeout, ...(parallel === undefined ? {} : { parallel }) };
    const story = applyAll(items, site.cluster, { signal, force, wait: waitOf(options), ...limits });
    return await follow(story, { output, teller, terminal, signal });
  } finally {
    site.close();
  }
}
