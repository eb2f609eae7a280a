import { isFields } from "../../../core/object/index.ts";

/** The letters of generated names: no vowels, and none that look alike. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

/**
 * A short name for a template: `7d4b9c6f8d`. The same template and count give the same name.
 *
 * Models pkg/controller/controller_utils.go ComputeHash in form; the value differs from a real server's, which hashes Go's
 * own dump of the structure.
 */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  return hashText(canonical(template) + (collisionCount === undefined ? "" : `#${collisionCount}`));
}

/** 32 bits of FNV-1a in decimal, each digit as a letter that is safe in a name. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return [...String(hash >>> 0)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join("");
}

/** JSON with sorted keys, so that the order of keys does not change the hash. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isFields(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}
