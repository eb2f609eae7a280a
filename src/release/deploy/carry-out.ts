import type { Cluster } from "../../kube/index.ts";
import { run } from "../apply/index.ts";
import type { Progress, Story } from "../index.ts";
import type { Hold } from "../record/index.ts";
import { Keeper, type KeeperOptions } from "./keeper.ts";
import type { Proposal } from "./proposal.ts";
import { manager } from "./propose/index.ts";

export type CarryOutOptions = KeeperOptions & {
  /** Stops everything where it is; the next run carries on. */
  readonly signal: AbortSignal;
  readonly parallel?: number;
  /** After how long what is waited for counts as failed. */
  readonly timeoutMs?: number;
};

/** Does what was proposed, keeps the record of it, and tells of every step and of the end. */
export async function* carryOut(proposal: Proposal, cluster: Cluster, hold: Hold, options: CarryOutOptions): AsyncGenerator<Story> {
  const { signal: interrupt, parallel, timeoutMs, ...keeping } = options;
  const signal = AbortSignal.any([interrupt, hold.lost]);
  const keeper = new Keeper(proposal, cluster, hold, keeping);
  const limits = { signal, ...(parallel === undefined ? {} : { parallel }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  yield { type: "planned", plan: proposal.plan };
  const site = { cluster, manager, record: keeper.record, hear: (event: Progress) => keeper.hear(event) };
  for await (const event of run(proposal.plan, site, limits)) {
    if (event.type === "done") await keeper.close(signal);
    yield event;
  }
  if (hold.lost.aborted && !interrupt.aborted) throw hold.lost.reason;
}
