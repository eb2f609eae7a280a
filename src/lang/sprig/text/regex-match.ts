import type { RE2JS } from "../../re2/index.ts";

export type RegexMatch = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The text of a group by number or name; undefined when there is no such group or it did not match. */
  readonly group: (name: string) => string | undefined;
};

/**
 * All matches in a text, at most `limit` of them; a negative limit means no limit. An empty match right after another one is
 * dropped. Models regexp.allMatches.
 */
export function matchesOf(pattern: RE2JS, text: string, limit: number): RegexMatch[] {
  const matches: RegexMatch[] = [];
  const matcher = pattern.matcher(text);
  let previousEnd = -1;
  const most = limit < 0 ? Infinity : limit;
  for (let at = 0; at <= text.length && matches.length < most && matcher.find(at);) {
    const [start, end] = [matcher.start(), matcher.end()];
    const isRepeat = end === start && start === previousEnd;
    if (!isRepeat) matches.push(matchFrom(pattern, matcher, text));
    at = end > at ? end : nextCharacter(text, end === at ? at : end);
    previousEnd = end;
  }
  return matches;
}

type Matcher = ReturnType<RE2JS["matcher"]>;

function matchFrom(pattern: RE2JS, matcher: Matcher, text: string): RegexMatch {
  const groups = Array.from({ length: pattern.groupCount() + 1 }, (_, index) => matcher.group(index) ?? undefined);
  const names = pattern.namedGroups();
  const [start, end] = [matcher.start(), matcher.end()];
  return {
    start,
    end,
    text: text.slice(start, end),
    group: (name) => (/^\d+$/.test(name) ? groups[Number(name)] : Object.hasOwn(names, name) ? groups[names[name]!] : undefined),
  };
}

function nextCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** Expands `$1`, `${1}` and `$name`; `$$` is a dollar. Names are matched greedily. Models regexp.Expand. */
export function expandTemplate(template: string, match: RegexMatch): string {
  if (!template.includes("$")) return template;
  return template.replaceAll(/\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu, (_, dollar?: string, braced?: string, bare?: string) =>
    dollar === undefined ? (match.group(braced ?? bare ?? "") ?? "") : "$",
  );
}
