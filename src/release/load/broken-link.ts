import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** How many links Go follows. */
const mostLinks = 255;

/** Why a link cannot be followed, in Go's words; undefined if it can. Models path/filepath walkSymlinks */
export function brokenLink(path: string, links = 0): string | undefined {
  if (links > mostLinks) return "EvalSymlinks: too many links";
  const parts = resolve(path).split(sep).slice(1);
  for (let at = 1; at <= parts.length; at++) {
    const part = sep + parts.slice(0, at).join(sep);
    const found = lstatSync(part, { throwIfNoEntry: false });
    if (found === undefined) return `lstat ${part}: no such file or directory`;
    if (found.isSymbolicLink()) return brokenLink(join(resolve(dirname(part), readlinkSync(part)), ...parts.slice(at)), links + 1);
  }
  return undefined;
}
