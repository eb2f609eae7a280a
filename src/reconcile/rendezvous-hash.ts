/**
 * The member that owns a key: the one with the highest hash for it (rendezvous hashing). All processes with the same
 * members agree, and a change of members only moves the keys of that member. Undefined without members.
 */
export function shardOwnerOf(key: string, members: readonly string[]): string | undefined {
  let owner: string | undefined;
  let highest = -1;
  for (const member of members) {
    const number = mix(key, member);
    if (number < highest || (number === highest && owner !== undefined && member > owner)) continue;
    highest = number;
    owner = member;
  }
  return owner;
}

/** A 32-bit hash, independent for similar names: FNV-1a with the finalizer of MurmurHash3. */
function mix(key: string, member: string): number {
  let hash = 0x811c9dc5;
  for (const text of [key, "\n", member]) for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
