import { isAscii } from "../../template/index.ts";
import {
  goRunes,
  isLetter,
  isLower,
  isNumber,
  isPunctuation,
  isSpace,
  isTitle,
  isUpper,
  lowerRune,
  mapRunes,
  runesBetween,
  runesOf,
  titleRune,
  upperRune,
  type Runes,
} from "./rune.ts";
import { RuneBuilder } from "./rune-builder.ts";

/** Converts to `snake_case` and `kebab-case`. Models github.com/huandu/xstrings. */
export function joinedWords(text: string, connector: "_" | "-"): string {
  const runes = runesOf(text);
  const words = new Words(runes.length);
  if (isAscii(text)) findAsciiWords(text, words);
  else findWords(runes, words);
  const { ends } = words;
  const out = new RuneBuilder(text.length + (text.length >> 2));
  let at = 0;
  const kindAt = (index: number): WordKind => words.kindAt(index);
  const write = (index: number, kind: WordKind = kindAt(index)) => {
    if (index >= ends.length) return;
    const end = ends[index]!;
    if (kind === "upper" || kind === "connector")
      for (let rune = ends[index - 1] ?? 0; rune < end; rune++) out.add(lowered(runes[rune]!, connector));
    else for (let rune = ends[index - 1] ?? 0; rune < end; rune++) out.add(runes[rune]!);
  };
  /** Letters and digits after a number belong to it. */
  const writeTail = () => {
    while (kindAt(at) === "letters" || kindAt(at) === "number") write(at++);
    connect(kindAt(at));
  };
  const connect = (next: WordKind) => {
    if (next !== "none" && next !== "punctuation" && next !== "connector") out.add(connector);
  };
  while (at < ends.length - 1) {
    const previous = at++;
    if (kindAt(previous) !== "connector") write(previous);
    switch (kindAt(previous)) {
      case "number":
        writeTail();
        break;
      case "connector":
        write(previous);
        break;
      case "punctuation":
        break;
      default:
        if (kindAt(at) !== "number") {
          if (kindAt(at) !== "connector" && kindAt(at) !== "punctuation") out.add(connector);
          break;
        }
        if (at === ends.length - 1) break;
        const number = at++;
        if (kindAt(at) === "letters") {
          out.add(connector);
          write(number);
          writeTail();
        } else {
          write(number);
          if (kindAt(at) !== "connector" && kindAt(at) !== "punctuation") out.add(connector);
        }
    }
  }
  write(at);
  return out.text();
}

type WordKind = "none" | "number" | "upper" | "letters" | "connector" | "punctuation" | "other";

function lowered(rune: string, connector: string): string {
  if (isConnector(rune)) return connector;
  return isUpper(rune) ? lowerRune(rune) : rune;
}

const wordKinds: readonly WordKind[] = ["none", "number", "upper", "letters", "connector", "punctuation", "other"];

/** The kind of each word, and where it ends: in a long text there are too many for an object each. */
class Words {
  readonly #kinds: Uint8Array;
  readonly #ends: Uint32Array;
  #length = 0;

  constructor(most: number) {
    this.#kinds = new Uint8Array(most);
    this.#ends = new Uint32Array(most);
  }

  get ends(): Uint32Array {
    return this.#ends.subarray(0, this.#length);
  }

  add(kind: WordKind, end: number): void {
    this.#kinds[this.#length] = wordKinds.indexOf(kind);
    this.#ends[this.#length++] = end;
  }

  /** The kind of a word; none beyond the last one. */
  kindAt(index: number): WordKind {
    return wordKinds[this.#kinds[index] ?? 0]!;
  }
}

function findWords(runes: Runes, words: Words): void {
  for (let at = 0; at < runes.length;) {
    const kind = kindOf(runes[at]!);
    at = kind === "upper" ? endOfCapitalized(runes, at) : endOf(runes, at + 1, continues[kind]);
    words.add(kind, at);
  }
}

/** The same for a text in ASCII, by tables: most long texts are. */
function findAsciiWords(text: string, words: Words): void {
  for (let at = 0; at < text.length;) {
    const kind = asciiKinds[text.charCodeAt(at)]!;
    if (kind === "upper") at = endOfCapitalized(text, at);
    else {
      const belongs = asciiContinues[kind];
      do at++;
      while (at < text.length && belongs[text.charCodeAt(at)] === 1);
    }
    words.add(kind, at);
  }
}

function kindOf(character: string): WordKind {
  return (character.length === 1 ? asciiKinds[character.charCodeAt(0)] : undefined) ?? unicodeKindOf(character);
}

function unicodeKindOf(character: string): WordKind {
  if (isConnector(character)) return "connector";
  if (isPunctuation(character)) return "punctuation";
  if (isUpper(character)) return "upper";
  if (isAlphabetic(character)) return "letters";
  return isNumber(character) ? "number" : "other";
}

const asciiKinds: readonly WordKind[] = Array.from({ length: 128 }, (_, code) => unicodeKindOf(String.fromCharCode(code)));

const continues: Readonly<Record<Exclude<WordKind, "upper">, (character: string) => boolean>> = {
  none: () => false,
  connector: isConnector,
  punctuation: isPunctuation,
  letters: (character) => (character < "\x80" ? character >= "a" && character <= "z" : isAlphabetic(character) && !isUpper(character)),
  number: isNumber,
  other: (character) => !isConnector(character) && !isAlphabetic(character) && !isNumber(character) && !isPunctuation(character),
};

const asciiContinues = {
  none: asciiTable(continues.none),
  connector: asciiTable(continues.connector),
  punctuation: asciiTable(continues.punctuation),
  letters: asciiTable(continues.letters),
  number: asciiTable(continues.number),
  other: asciiTable(continues.other),
};

function asciiTable(belongs: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(belongs(String.fromCharCode(code))));
}

function endOf(runes: Runes, from: number, belongs: (character: string) => boolean): number {
  let end = from;
  while (end < runes.length && belongs(runes[end]!)) end++;
  return end;
}

/** The end of a capitalized word or a run of capitals. The last capital of a run belongs to the letters after it. */
function endOfCapitalized(runes: Runes, start: number): number {
  const next = runes[start + 1];
  if (next === undefined) return start + 1;
  if (!isUpper(next)) return isAlphabetic(next) ? endOf(runes, start + 2, continues.letters) : start + 1;
  const end = endOf(runes, start + 2, isUpper);
  const after = runes[end];
  return after !== undefined && isAlphabetic(after) ? end - 1 : end;
}

function isConnector(character: string): boolean {
  return character === "-" || character === "_" || isSpace(character);
}

/** Whether a character is a letter other than a Han character, which is a word by itself. */
function isAlphabetic(character: string): boolean {
  return isLetter(character) && (character < "\u3400" || !/^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u.test(character));
}

/** Converts to `PascalCase`. Leading and doubled connectors stay. */
export function pascalCase(text: string): string {
  const runes = goRunes(text);
  const start = endOf(runes, 0, isConnector);
  if (start === runes.length) return pascalConnectors(runes);
  const out = new RuneBuilder(text.length);
  for (let at = 0; at < start; at++) out.add(runes[at]!);
  let current = upperRune(runes[start]!);
  let startedUpper = isUpper(runes[start]!);
  for (let at = start + 1; at < runes.length; at++) {
    const previous = current;
    current = runes[at]!;
    if (isConnector(current) && isConnector(previous)) out.add(previous);
    else if (isConnector(previous)) {
      startedUpper = isUpper(current);
      current = upperRune(current);
    } else {
      if (startedUpper && isUpper(current)) current = lowerRune(current);
      else startedUpper = false;
      out.add(previous);
    }
  }
  out.add(current);
  return out.text();
}

/** Models xstrings: text of connectors only gets its last one doubled. */
function pascalConnectors(runes: Runes): string {
  return runesBetween(runes, 0, runes.length) + (runes[runes.length - 1] ?? "");
}

/** Lowercases the first letter of every word. */
export function untitled(text: string): string {
  let starts = true;
  return mapRunes(text, (character) => {
    if (isSpace(character)) starts = true;
    else if (starts) {
      starts = false;
      return lowerRune(character);
    }
    return character;
  });
}

/** Swaps upper and lower case. */
export function swappedCase(text: string): string {
  let starts = true;
  return mapRunes(text, (character) => {
    if (isUpper(character) || isTitle(character)) {
      starts = false;
      return lowerRune(character);
    }
    if (!isLower(character)) {
      starts = isSpace(character);
      return character;
    }
    const swapped = starts ? titleRune(character) : upperRune(character);
    starts = false;
    return swapped;
  });
}
