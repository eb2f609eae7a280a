import { charge } from "../../core/cost/index.ts";
import type { RE2JS } from "re2js";
import { matchesFound, replacedAll, type Find } from "./found-match.ts";
import type { Regex } from "./regex.ts";
import type { Slots } from "./searcher.ts";

/** A regex that the library matches. */
export function libraryRegex(expression: RE2JS): Regex {
  return {
    names: new Map<string, number>(Object.entries(expression.namedGroups())),
    test: (text) => {
      chargeWalk(expression, text);
      return expression.test(text);
    },
    matches: (text, limit) => matchesFound(text, limit, findBy(expression, text, 0)),
    replaceAll: (text, replacement) =>
      replacedAll(text, replacement, findBy(expression, text, typeof replacement === "string" ? 0 : expression.groupCount())),
  };
}

/** At each character the library may look at every instruction. */
function chargeWalk(expression: RE2JS, text: string): void {
  charge(text.length * (expression.programSize() >> 2));
}

function findBy(expression: RE2JS, text: string, groups: number): Find {
  chargeWalk(expression, text);
  const matcher = expression.matcher(text);
  return (from): Slots | undefined =>
    matcher.find(from)
      ? Array.from({ length: 2 * groups + 2 }, (_, slot) => (slot % 2 === 0 ? matcher.start(slot >> 1) : matcher.end(slot >> 1)))
      : undefined;
}
