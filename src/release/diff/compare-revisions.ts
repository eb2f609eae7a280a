import type { Cluster } from "../../kube/index.ts";
import { equal, keyOf, type KubeObject } from "../../core/object/index.ts";
import { concealed, mergeSensitivity, quoteConcealer, withoutQuotes } from "../conceal/index.ts";
import type { ObjectDiff } from "../deploy/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { readRevisionManifests, withNamespace } from "../prepare/index.ts";
import type { Revision } from "../record/index.ts";

type Member = Ordered<DesiredManifest>;

type CompareOptions = {
  /** Default: resources and hooks. */
  readonly only?: "resources" | "hooks";
};

/** How the manifests of one revision differ from those of another of the same release. */
export async function compareRevisions(
  before: Revision,
  after: Revision,
  cluster: Cluster,
  options: CompareOptions = {},
): Promise<readonly ObjectDiff[]> {
  return compare(before, after, cluster, options, ({ ref }) => keyOf(ref));
}

/**
 * How the manifests of one release differ from those of another. Objects are the same when they come from the same file, are of
 * the same kind and their names differ in the name of the release alone.
 */
export async function compareReleases(
  before: Revision,
  after: Revision,
  cluster: Cluster,
  options: CompareOptions = {},
): Promise<readonly ObjectDiff[]> {
  return compare(before, after, cluster, options, ({ ref, item }, release) => {
    const source = (item.at ?? "").replace(/:\d+$/, "");
    return [source, ref.group, ref.kind, withoutRelease(ref.name, release)].join(" ");
  });
}

/** The name of an object with a blank for that of its release, where it stands as a word of its own: `web` is no part of `webhook`. */
function withoutRelease(name: string, release: string): string {
  const literal = release.replaceAll(".", String.raw`\.`);
  return name.replaceAll(new RegExp(`(?<![a-z0-9])${literal}(?![a-z0-9])`, "g"), " ");
}

type Identify = (member: Member, release: string) => string;

async function compare(
  before: Revision,
  after: Revision,
  cluster: Cluster,
  options: CompareOptions,
  identify: Identify,
): Promise<readonly ObjectDiff[]> {
  const all = await Promise.all([readRevisionManifests(before, cluster), readRevisionManifests(after, cluster)]);
  const from = membersOf(all[0], before, options, identify);
  const to = membersOf(all[1], after, options, identify);
  const kept = [...to].flatMap(([key, member]) => difference(from.get(key), member) ?? []);
  const removed = [...from].filter(([key]) => !to.has(key)).map(([, member]) => removal(member));
  return diffsWithoutQuotes([...kept, ...removed], all.flat());
}

/** Diffs without what the objects quote of the Secrets among these. The names of the objects stay: they are told anyway. */
export function diffsWithoutQuotes(diffs: readonly ObjectDiff[], members: readonly Member[]): readonly ObjectDiff[] {
  const conceal = quoteConcealer(members.map(({ item, constraints }) => ({ object: item.object, sensitive: constraints.sensitive })));
  const kept = new Set(members.flatMap(({ ref: { name, namespace } }) => [name, namespace]));
  return diffs.map(({ before, after, ...diff }) => ({
    ...diff,
    ...(before === undefined ? {} : { before: withoutQuotes(before, conceal, { kept }) }),
    ...(after === undefined ? {} : { after: withoutQuotes(after, conceal, { kept }) }),
  }));
}

/** The objects of a revision by their identity. The second one of the same is numbered. */
function membersOf(all: readonly Member[], revision: Revision, { only }: CompareOptions, identify: Identify): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const member of all) {
    const { hook } = member.constraints;
    if (only !== undefined && hook !== (only === "hooks")) continue;
    const key = `${hook ? "hook " : ""}${identify(member, revision.name)}`;
    members.set(freeKey(members, key), member);
  }
  return members;
}

function freeKey(members: ReadonlyMap<string, Member>, key: string): string {
  let free = key;
  for (let count = 2; members.has(free); count++) free = `${key} ${count}`;
  return free;
}

function difference(before: Member | undefined, after: Member): ObjectDiff | undefined {
  const { ref, constraints } = after;
  if (before === undefined) return { ref, change: "created", after: concealed(objectOf(after), constraints.sensitive) };
  const [old, next] = [asNamed(objectOf(before), after), objectOf(after)];
  if (equal(old, next)) return undefined;
  const sensitive = mergeSensitivity(before.constraints.sensitive, constraints.sensitive);
  return { ref, change: "updated", before: concealed(old, sensitive), after: concealed(next, sensitive, old) };
}

function removal(member: Member): ObjectDiff {
  const { ref, constraints } = member;
  return { ref, change: "deleted", before: concealed(objectOf(member), constraints.sensitive) };
}

/** The same object of another release has another name and namespace; that is no difference. */
function asNamed(object: KubeObject, { ref }: Member): KubeObject {
  return withNamespace({ ...object, metadata: { ...object.metadata, name: ref.name } }, ref.namespace);
}

/** A namespace that is written out is no difference to one that is not. */
function objectOf({ item, ref }: Member): KubeObject {
  return withNamespace(item.object, ref.namespace);
}
