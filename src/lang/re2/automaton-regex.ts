import type { RE2JS } from "re2js";
import { LruCache } from "../../core/cache/index.ts";
import { Exhausted } from "./automaton.ts";
import { matchesFound, replacedAll } from "./found-match.ts";
import { libraryRegex } from "./library-regex.ts";
import { programOf } from "./program.ts";
import type { Regex } from "./regex.ts";
import { Searcher } from "./searcher.ts";

/** Automata pay off in texts of so many characters. */
const longText = 1024;
/** Each takes up to 2 MiB. */
const maxSearchers = 8;
/** Undefined for patterns that the library has to match. */
const searchers = new LruCache<RE2JS, Searcher | undefined>({ maxEntries: maxSearchers });

/** A regex that automata match in long texts, and the library in all others, with bytes that are no UTF-8, and where automata give up. */
export function automatonRegex(expression: RE2JS, { from = longText }: { readonly from?: number } = {}): Regex {
  const library = libraryRegex(expression);
  const search = <Result>(text: string, byAutomaton: (searcher: Searcher) => Result, byLibrary: () => Result): Result => {
    const searcher = text.length >= from && text.isWellFormed() ? searcherOf(expression) : undefined;
    if (searcher === undefined) return byLibrary();
    try {
      return byAutomaton(searcher);
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      searchers.set(expression, undefined);
      return byLibrary();
    }
  };
  return {
    names: library.names,
    test: (text) =>
      search(
        text,
        (searcher) => searcher.test(text),
        () => library.test(text),
      ),
    matches: (text, limit) =>
      search(
        text,
        (searcher) => matchesFound(text, limit, (at) => searcher.find(text, at)),
        () => library.matches(text, limit),
      ),
    replaceAll: (text, replacement) =>
      search(
        text,
        (searcher) =>
          replacedAll(text, replacement, (at) =>
            typeof replacement === "string" ? searcher.find(text, at) : searcher.findGroups(text, at),
          ),
        () => library.replaceAll(text, replacement),
      ),
  };
}

function searcherOf(expression: RE2JS): Searcher | undefined {
  return searchers.getOrCreate(expression, () => {
    const program = programOf(expression);
    return program === undefined ? undefined : new Searcher(program);
  });
}
