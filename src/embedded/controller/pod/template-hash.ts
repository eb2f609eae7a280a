import { isFields } from "../../../core/object/index.ts";
import { dumpedTemplate } from "./go-dump.ts";

/** The letters of generated names: no vowels, and none that look alike. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

const basis = 0x811c9dc5;
const prime = 0x01000193;

/** A short name for a pod template: `7d4b9c6f8d`. Models pkg/controller/controller_utils.go ComputeHash */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) count.writeUInt32LE(collisionCount);
  let hash = basis;
  for (const byte of Buffer.concat([Buffer.from(dumpedTemplate(template)), count])) hash = Math.imul(hash ^ byte, prime);
  return safeEncoded(hash);
}

/** A short name for the data of a revision. Models pkg/controller/history/controller_history.go HashControllerRevision */
export function revisionHash(data: unknown, collisionCount: number): string {
  let hash = basis;
  for (const byte of Buffer.from(`${sortedJson(data)}${collisionCount}`)) hash = Math.imul(hash, prime) ^ byte;
  return safeEncoded(hash);
}

/** 32 bits in decimal, each digit as a letter that is safe in a name. */
function safeEncoded(hash: number): string {
  return [...String(hash >>> 0)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join("");
}

/** JSON as Go writes a map: with sorted keys, and without what HTML would read. */
function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    isFields(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
  return text.replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
