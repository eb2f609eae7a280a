import { isFields, type Fields } from "../../src/core/object/index.ts";

/** The values that servers generated in one run, and the stable names that replace them. */
export type GeneratedTokens = {
  /** uid → `<uid-1>`, in the order they are first seen. */
  readonly uids: ReadonlyMap<string, string>;
  /** `uid resourceVersion` → `<rv-2>`: the second of the versions of that object that were seen. */
  readonly versions: ReadonlyMap<string, string>;
  /** Generated object names → their prefix and `<gen>`. The longest first. */
  readonly names: ReadonlyMap<string, string>;
  /** Hashes of pod templates and revisions → `<hash-1>`, in the order they are first seen. */
  readonly hashes: ReadonlyMap<string, string>;
};

export function generatedTokensIn(answers: unknown, { oneCounter }: { oneCounter: boolean }): GeneratedTokens {
  const uids = new Map<string, string>();
  const hashes = new Map<string, string>();
  const names = new Map<string, string>();
  const versions = new Map<string, Set<number>>();
  const note = (hash: string) => hashes.has(hash) || hashes.set(hash, `<hash-${hashes.size + 1}>`);
  for (const found of findingsIn(answers)) {
    if (typeof found === "string") {
      for (const [, hash = ""] of found.matchAll(hashInText)) note(hash);
      continue;
    }
    const { uid, name, generateName, resourceVersion, labels } = found;
    if (typeof uid === "string" && !uids.has(uid)) uids.set(uid, `<uid-${uids.size + 1}>`);
    if (typeof uid === "string" && typeof resourceVersion === "string") {
      versions.set(uid, (versions.get(uid) ?? new Set()).add(Number(resourceVersion)));
    }
    if (
      typeof name === "string" &&
      typeof generateName === "string" &&
      name.startsWith(generateName) &&
      name.length > generateName.length
    ) {
      names.set(name, `${generateName}<gen>`);
    }
    for (const hash of hashesOf(labels)) note(hash);
  }
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
  return { uids, versions: ranked(versions, oneCounter), names: new Map(longestFirst), hashes };
}

/** Messages of the Deployment controller contain the hash of the ReplicaSet. */
const hashInText = /ReplicaSet "[a-z0-9-]+-([bcdfghjklmnpqrstvwxz2456789]{6,10})"/g;

/** Every metadata and every text in the answers, in their order. */
function* findingsIn(value: unknown): Generator<Fields | string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* findingsIn(item);
  else if (isFields(value)) {
    const { metadata } = value;
    if (isFields(metadata)) yield metadata;
    for (const item of Object.values(value)) yield* findingsIn(item);
  }
}

/** The revision label of a StatefulSet is its name and a hash, that of a DaemonSet or Deployment only the hash. */
export function hashesOf(labels: unknown): string[] {
  if (!isFields(labels)) return [];
  const found = [labels["pod-template-hash"], labels["controller-revision-hash"], labels["controller.kubernetes.io/hash"]];
  return found.filter((hash) => typeof hash === "string").map((hash) => hash.slice(hash.lastIndexOf("-") + 1));
}

function ranked(versions: ReadonlyMap<string, ReadonlySet<number>>, oneCounter: boolean): Map<string, string> {
  const all = inOrder([...versions.values()].flatMap((seen) => [...seen]));
  const ranks = [...versions].flatMap(([uid, seen]) => {
    const order = oneCounter ? all : inOrder([...seen]);
    return [...seen].map((version): [string, string] => [`${uid} ${version}`, `<rv-${order.indexOf(version) + 1}>`]);
  });
  return new Map(ranks);
}

function inOrder(versions: readonly number[]): number[] {
  return [...new Set(versions)].sort((a, b) => a - b);
}
