import { isFields, numberAt, stringsAt, type KubeObject } from "../core/object/index.ts";
import { shardOwnerOf } from "./rendezvous-hash.ts";

const annotation = "sluice.dev/claim";

/** What a member says in its Lease of the keys it may work on: those that the members it knows of leave to it, and those it has not ended yet. */
export type ShardLease = {
  /** Counts the claims of one member: who sees the number sees the Leases as they were when it was written, or later. */
  readonly number: number;
  readonly members: readonly string[];
  /** Keys that it has to give up and still works on. */
  readonly ending: readonly string[];
};

/** The claim of one who has only just come. */
export const emptyShardLease: ShardLease = { number: 0, members: [], ending: [] };

export function shardLeaseIn(lease: KubeObject): ShardLease {
  const text = lease.metadata.annotations?.[annotation];
  if (text === undefined) return emptyShardLease;
  const claim = parsed(text);
  return { number: numberAt(claim, "number", 0), members: stringsAt(claim, "members"), ending: stringsAt(claim, "ending") };
}

export function withShardLease(lease: KubeObject, claim: ShardLease): KubeObject {
  const annotations = { ...lease.metadata.annotations, [annotation]: JSON.stringify(claim) };
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** Whether the member called `name` may be at work on a key, by what it claims. */
export function mayOwnKey(name: string, { members, ending }: ShardLease, key: string): boolean {
  return ending.includes(key) || shardOwnerOf(key, members) === name;
}

/** One string for all that two claims can differ in but their number. */
export function shardLeaseContent({ members, ending }: Omit<ShardLease, "number">): string {
  return JSON.stringify([members, ending]);
}

/** Somebody may have written anything there; a claim that cannot be read claims nothing. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
