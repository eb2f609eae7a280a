import { lineFor } from "../core/fault/index.ts";
import type { Cluster } from "../kube/index.ts";
import type { DeployOptions, Proposal, Terms } from "../release/deploy/index.ts";
import type { Release } from "../release/record/index.ts";
import type { Story } from "../release/index.ts";
import { follow } from "./follow.ts";
import { hasDied, identityOf } from "./identity.ts";
import { openSite, type SiteOptions } from "./site.ts";
import { tellerOf } from "./teller.ts";
import type { Terminal } from "./terminal.ts";
import { waitOf, type Waiting } from "./waiting.ts";

/** The flags that say what is allowed and asked for. */
export type TermFlags = Partial<Waiting> & {
  readonly forceConflicts?: boolean;
  readonly takeOwnership?: boolean;
  readonly deleteData?: boolean;
};

/** The flags of every command that works on a release. */
export type ReleaseCommand = SiteOptions &
  TermFlags & {
    readonly timeout: number;
    readonly parallel?: number;
    readonly output: "text" | "ndjson";
  };

/** The flags of every command that brings a release somewhere. */
export type DeployCommand = ReleaseCommand & {
  readonly createNamespace: boolean;
  readonly autoRollback: boolean;
  readonly historyMax?: number;
};

/** What a command does to a release, once the cluster is reached. */
export type Work = (cluster: Cluster, release: Release, options: DeployOptions) => AsyncIterable<Story>;

/** Reaches the cluster, has the work done on the release, tells of it, and answers the exit code. */
export async function onRelease(
  what: { readonly name: string; readonly command: string; readonly work: Work },
  options: ReleaseCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, timeout, parallel } = options;
  let aside = terminal.err;
  const warn = (warning: string) => aside(terminal.paint.warn(`warning: ${warning}`));
  const site = await openSite(options, warn);
  try {
    const { cluster } = site;
    const teller = tellerOf({ output, clock: cluster.clock, cluster: site.name }, terminal);
    aside = teller.aside;
    const release = { name: what.name, namespace: cluster.namespace };
    const proposed = ({ warnings }: Proposal) => warnings.forEach((warning) => warn(lineFor(warning)));
    const story = what.work(cluster, release, {
      signal,
      identity: identityOf(`sluice ${what.command}`),
      hasDied,
      timeoutMs: timeout,
      proposed,
      ...(parallel === undefined ? {} : { parallel }),
    });
    return await follow(story, { output, teller, terminal, signal });
  } finally {
    site.close();
  }
}

/** What the flags allow and ask for. */
export function termsOf({ wait = true, forceConflicts = false, takeOwnership = false, deleteData = false }: TermFlags): Terms {
  return { wait: waitOf({ wait }), forceConflicts, takeOwnership, deleteData };
}

/** How a deploy goes about it, whatever it is to do. */
export function courseOf({ autoRollback, historyMax }: DeployCommand) {
  return { autoRollback, ...(historyMax === undefined ? {} : { historyMax }) };
}
