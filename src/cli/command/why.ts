import { Fault } from "../../fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { titleOf, type ObjectRef } from "../../object/index.ts";
import { situationOf } from "../../release/status/index.ts";
import { chainsFrom, why as explain, type Account, type Situation } from "../../release/why/index.ts";
import { chainLines, whyLines } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes, Usage } from "../failure.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

export type WhyCommand = SiteOptions & { readonly output: "text" | "json" };

/** Says why a release, or one object of it, waits: down to the first causes. */
export async function why(
  name: string,
  object: string | undefined,
  options: WhyCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, ...where } = options;
  const wanted = object === undefined ? undefined : wordsOf(object);
  return onCluster(where, terminal, async ({ cluster }) => {
    const situation = await situationOf({ name, namespace: cluster.namespace }, cluster, { signal });
    const account = explain(situation);
    const refs = wanted === undefined ? undefined : await refsCalled(wanted, situation, cluster);
    const told = refs === undefined ? account : about(refs, account);
    if (output === "json") terminal.out(dataText(told, "json"));
    else for (const line of linesFor(told, refs, terminal)) terminal.out(line);
    return exitCodes.ok;
  });
}

type Words = { readonly kind: string; readonly name: string };

function wordsOf(text: string): Words {
  const [kind = "", name = "", ...more] = text.split("/");
  if (kind !== "" && name !== "" && more.length === 0) return { kind, name };
  throw new Usage(`find the object ${JSON.stringify(text)}`, "expected KIND/NAME, such as deployment/web or deploy/web");
}

/** The objects of the release, or those it waits for, that somebody may mean: `deploy/web`, `deployments.apps/web`. */
async function refsCalled({ kind, name }: Words, { plan, release }: Situation, cluster: Cluster): Promise<readonly ObjectRef[]> {
  const resource = await cluster.discovery.named(kind);
  const refs = plan.steps.flatMap(({ action }) => (action.verb === "join" || action.verb === "record" ? [] : [action.ref]));
  const isMeant = (ref: ObjectRef) =>
    resource === undefined
      ? ref.kind.toLowerCase() === kind.toLowerCase()
      : (ref.kind === resource.kind && ref.group === resource.group) || ref.kind.toLowerCase() === kind.toLowerCase();
  const found = refs.filter((ref) => ref.name === name && isMeant(ref));
  if (found.length > 0) return found;
  throw new Fault(
    `find ${kind}/${name} in release ${release.name} in ${release.namespace}`,
    `there is no such object in it: sluice status ${release.name} shows all it has`,
    { final: true },
  );
}

/** The account of some objects alone, and of all that they wait for. */
function about(refs: readonly ObjectRef[], account: Account): Account {
  const ids = new Set(
    idsOf(refs, account)
      .flatMap((id) => chainsFrom(account, id))
      .flatMap((chain) => chain.map((each) => each.id)),
  );
  return { ...account, waiting: account.waiting.filter(({ id }) => ids.has(id)) };
}

function idsOf(refs: readonly ObjectRef[], { waiting }: Account): readonly string[] {
  const isOne = (ref: ObjectRef) =>
    refs.some((each) => each.kind === ref.kind && each.group === ref.group && each.name === ref.name && each.namespace === ref.namespace);
  return waiting.filter(({ ref }) => isOne(ref)).map(({ id }) => id);
}

function linesFor(account: Account, refs: readonly ObjectRef[] | undefined, { paint }: Terminal): readonly string[] {
  if (refs === undefined) return whyLines(account, paint);
  const ids = idsOf(refs, account);
  if (ids.length > 0) return chainLines(account, ids, paint);
  return [`nothing holds up ${[...new Set(refs.map(titleOf))].join(", ")}: it is as the release wants it, and ready`];
}
