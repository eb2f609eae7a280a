import { isFields, numberAt, stringsAt, type KubeObject } from "../core/object/index.ts";
import { shardOwnerOf } from "./rendezvous-hash.ts";

const annotation = "sluice.dev/claim";

/**
 * The part of the key space that a member owns, as written in its Lease: the keys that hash to it among the members it
 * knows, and those it has not stopped yet.
 */
export type ShardLease = {
  /** Counts the versions of one member's ShardLease. Whoever sees a number sees the Leases as they were when it was written, or later. */
  readonly number: number;
  readonly members: readonly string[];
  /** Keys that it has to give up and still works on. */
  readonly ending: readonly string[];
};

/** The ShardLease of a new member. */
export const emptyShardLease: ShardLease = { number: 0, members: [], ending: [] };

export function shardLeaseIn(lease: KubeObject): ShardLease {
  const text = lease.metadata.annotations?.[annotation];
  if (text === undefined) return emptyShardLease;
  const shardLease = parsed(text);
  return { number: numberAt(shardLease, "number", 0), members: stringsAt(shardLease, "members"), ending: stringsAt(shardLease, "ending") };
}

export function withShardLease(lease: KubeObject, shardLease: ShardLease): KubeObject {
  const annotations = { ...lease.metadata.annotations, [annotation]: JSON.stringify(shardLease) };
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** Whether the member `name` may work on a key, by its ShardLease. */
export function mayOwnKey(name: string, { members, ending }: ShardLease, key: string): boolean {
  return ending.includes(key) || shardOwnerOf(key, members) === name;
}

/** A string of everything but the number, for comparison. */
export function shardLeaseContent({ members, ending }: Omit<ShardLease, "number">): string {
  return JSON.stringify([members, ending]);
}

/** The annotation may contain anything. An invalid one owns no keys. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
