/**
 * Who of `members` a key belongs to: the one that has the highest number for it. Everybody who knows the same members
 * says the same, and when one comes or goes only the keys move that it gets or had. Undefined when there is nobody.
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

/** A number below 2³² that has nothing to do with that of similar names: FNV-1a, stirred as MurmurHash3 ends. */
function mix(key: string, member: string): number {
  let hash = 0x811c9dc5;
  for (const text of [key, "\n", member]) for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
