import { charge } from "../../core/cost/index.ts";
import { charged, costOfMatch, type RegexMatch, type Replacement } from "./regex.ts";
import type { Slots } from "./searcher.ts";

/** The next match in a text from a position on. */
export type Find = (from: number) => Slots | undefined;

/** All matches, at most `limit` of them; a negative limit means no limit. */
export function matchesFound(text: string, limit: number, find: Find): readonly RegexMatch[] {
  const matches: RegexMatch[] = [];
  forEachMatch(text, limit, find, (slots) => matches.push({ start: slots[0]!, end: slots[1]! }));
  return matches;
}

/** A text with every match replaced. */
export function replacedAll(text: string, replacement: Replacement, find: Find): string {
  const parts: string[] = [];
  let at = 0;
  forEachMatch(text, -1, find, (slots) => {
    parts.push(text.slice(at, slots[0]), charged(replacement, typeof replacement === "string" ? [] : groupsIn(text, slots)));
    at = slots[1]!;
  });
  return parts.join("") + text.slice(at);
}

function groupsIn(text: string, slots: Slots): readonly (string | undefined)[] {
  const groups: (string | undefined)[] = [];
  for (let slot = 0; slot < slots.length; slot += 2) groups.push(slots[slot]! < 0 ? undefined : text.slice(slots[slot], slots[slot + 1]));
  return groups;
}

/** An empty match right after another one is dropped. Models regexp.allMatches. */
function forEachMatch(text: string, limit: number, find: Find, take: (slots: Slots) => void): void {
  let previousEnd = -1;
  let count = 0;
  for (let at = 0; at <= text.length && count !== limit;) {
    const slots = find(at);
    if (slots === undefined) break;
    const start = slots[0]!;
    const end = slots[1]!;
    charge(costOfMatch);
    if (end !== start || start !== previousEnd) {
      take(slots);
      count++;
    }
    at = end > at ? end : nextCharacter(text, at);
    previousEnd = end;
  }
}

function nextCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
