import { LruCache } from "../../../core/cache/index.ts";

/** An element of a Go time layout, named by its example. */
export type LayoutElement =
  | "January"
  | "Jan"
  | "1"
  | "01"
  | "Monday"
  | "Mon"
  | "2"
  | "_2"
  | "02"
  | "__2"
  | "002"
  | "15"
  | "3"
  | "03"
  | "4"
  | "04"
  | "5"
  | "05"
  | "2006"
  | "06"
  | "PM"
  | "pm"
  | "MST"
  | "fraction0"
  | "fraction9"
  | ZoneElement;

type ZoneElement = "Z0700" | "Z070000" | "Z07" | "Z07:00" | "Z07:00:00" | "-0700" | "-070000" | "-07" | "-07:00" | "-07:00:00";

/** Literal text and the element after it. The last chunk has no element. */
export type LayoutChunk = {
  readonly literal: string;
  readonly element?: LayoutElement;
  /** The element as the layout writes it. */
  readonly written: string;
  /** The layout after this element. */
  readonly rest: string;
};

// Longer elements come first where one is a prefix of another.
const zones: readonly ZoneElement[] = ["Z07:00:00", "Z070000", "Z07:00", "Z0700", "Z07", "-07:00:00", "-070000", "-07:00", "-0700", "-07"];
const fixed: readonly LayoutElement[] = [
  "002",
  "01",
  "02",
  "03",
  "04",
  "05",
  "06",
  "15",
  "2006",
  "__2",
  "_2",
  "1",
  "2",
  "3",
  "4",
  "5",
  "PM",
  "pm",
  "MST",
];

const known = new LruCache<string, readonly LayoutChunk[]>({
  maxWeight: 2 ** 20,
  weightOf: (layout, chunks) => layout.length + 64 * chunks.length,
});

/** Splits a layout into chunks. Cached. */
export function layoutChunks(layout: string): readonly LayoutChunk[] {
  const found = known.get(layout);
  if (found !== undefined) return found;
  const chunks: LayoutChunk[] = [];
  let start = 0;
  for (let at = 0; at < layout.length;) {
    const [element, length] = elementAt(layout, at);
    if (element === undefined) at++;
    else {
      chunks.push({
        literal: layout.slice(start, at),
        element,
        written: layout.slice(at, at + length),
        rest: layout.slice(at + length),
      });
      at += length;
      start = at;
    }
  }
  chunks.push({ literal: layout.slice(start), written: "", rest: "" });
  known.set(layout, chunks);
  return chunks;
}

function elementAt(layout: string, at: number): [LayoutElement | undefined, number] {
  const named = nameAt(layout, at);
  if (named !== undefined) return [named, named.length];
  const character = layout[at];
  if (character === "." || character === ",") return fractionAt(layout, at);
  // An underscore before a year is literal.
  if (layout.startsWith("_2006", at)) return [undefined, 0];
  const found = (character === "Z" || character === "-" ? zones : fixed).find((example) => layout.startsWith(example, at));
  return [found, found?.length ?? 0];
}

function nameAt(layout: string, at: number): LayoutElement | undefined {
  if (layout.startsWith("Jan", at)) {
    if (layout.startsWith("January", at)) return "January";
    return startsLower(layout, at + 3) ? undefined : "Jan";
  }
  if (layout.startsWith("Mon", at)) {
    if (layout.startsWith("Monday", at)) return "Monday";
    return startsLower(layout, at + 3) ? undefined : "Mon";
  }
  return undefined;
}

function startsLower(text: string, at: number): boolean {
  const character = text[at] ?? "";
  return character >= "a" && character <= "z";
}

/** A fraction: only zeros or only nines, without another digit after it. */
function fractionAt(layout: string, at: number): [LayoutElement | undefined, number] {
  const found = /^[.,](0+|9+)(?!\d)/.exec(layout.slice(at, at + 64));
  if (found === null) return [undefined, 0];
  return [found[1]!.startsWith("0") ? "fraction0" : "fraction9", found[0].length];
}
