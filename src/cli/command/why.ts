import { Fault } from "../../core/fault/index.ts";
import type { Cluster, Resource } from "../../kube/index.ts";
import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import { situationOf } from "../../release/status/index.ts";
import { chainsFrom, why as explain, type Account, type Situation } from "../../release/why/index.ts";
import { chainLines, whyLines, whyOutline } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes, Usage } from "../failure.ts";
import { hasDied } from "../identity.ts";
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
    const situation = await situationOf({ name, namespace: cluster.namespace }, cluster, { signal, hasDied });
    const account = explain(situation);
    const refs = wanted === undefined ? undefined : await refsCalled(wanted, situation, account, cluster);
    const told = refs === undefined ? account : about(refs, account);
    if (output === "json") terminal.out(dataText(whyOutline(told), "json"));
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
async function refsCalled({ kind, name }: Words, situation: Situation, account: Account, cluster: Cluster): Promise<readonly ObjectRef[]> {
  const { plan, release } = situation;
  const resource = await cluster.discovery.named(kind);
  const own = plan.steps.flatMap(({ action }) => (action.verb === "join" || action.verb === "record" ? [] : [action.ref]));
  const refs = [...own, ...account.waiting.map(({ ref }) => ref)].filter((ref) => ref.name === name);
  const found = refs.filter((ref) => isOfKind(ref, resource) || isCalled(ref, kind));
  if (found.length > 0) return found;
  throw new Fault(
    `find ${kind}/${name} in release ${release.name} in ${release.namespace}`,
    `there is no such object in it: sluice status ${release.name} shows all it has`,
    { final: true },
  );
}

/** What is outside of the release is known by the name of its resource until it has been looked up. */
function isOfKind(ref: ObjectRef, resource: Resource | undefined): boolean {
  if (resource === undefined) return false;
  return (ref.kind === resource.kind && ref.group === resource.group) || (ref.version === "" && isCalled(ref, resource.plural));
}

/** Kinds that the cluster does not serve have no short names. */
function isCalled({ kind }: ObjectRef, word: string): boolean {
  return kind.toLowerCase() === word.toLowerCase().split(".")[0];
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
