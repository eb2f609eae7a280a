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

/** Converts to `snake_case` and `kebab-case`. Models github.com/huandu/xstrings. */
export function joinedWords(text: string, connector: "_" | "-"): string {
  const runes = runesOf(text);
  const { kinds, ends } = wordsIn(runes);
  let out = "";
  let at = 0;
  const kindAt = (index: number): WordKind => kinds[index] ?? "none";
  const write = (index: number, kind: WordKind = kindAt(index)) => {
    if (index >= ends.length) return;
    const word = runesBetween(runes, ends[index - 1] ?? 0, ends[index]!);
    out += kind === "upper" || kind === "connector" ? lowered(word, connector) : word;
  };
  /** Letters and digits after a number belong to it. */
  const writeTail = () => {
    while (kindAt(at) === "letters" || kindAt(at) === "number") write(at++);
    connect(kindAt(at));
  };
  const connect = (next: WordKind) => {
    if (next !== "none" && next !== "punctuation" && next !== "connector") out += connector;
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
          if (kindAt(at) !== "connector" && kindAt(at) !== "punctuation") out += connector;
          break;
        }
        if (at === ends.length - 1) break;
        const number = at++;
        if (kindAt(at) === "letters") {
          out += connector;
          write(number);
          writeTail();
        } else {
          write(number);
          if (kindAt(at) !== "connector" && kindAt(at) !== "punctuation") out += connector;
        }
    }
  }
  write(at);
  return out;
}

type WordKind = "none" | "number" | "upper" | "letters" | "connector" | "punctuation" | "other";

function lowered(text: string, connector: string): string {
  if (/^[A-Za-z]+$/.test(text)) return text.toLowerCase();
  if (text.length === 1 && isConnector(text)) return connector;
  return mapRunes(text, (character) => (isConnector(character) ? connector : isUpper(character) ? lowerRune(character) : character));
}

/** The kind of each word, and where it ends: in a long text there are too many for an object each. */
function wordsIn(runes: Runes): { readonly kinds: readonly WordKind[]; readonly ends: readonly number[] } {
  const kinds: WordKind[] = [];
  const ends: number[] = [];
  for (let start = 0; start < runes.length;) {
    const kind = kindOf(runes[start]!);
    start = kind === "upper" ? endOfCapitalized(runes, start) : endOf(runes, start + 1, continues[kind]);
    kinds.push(kind);
    ends.push(start);
  }
  return { kinds, ends };
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
  let out = runesBetween(runes, 0, start);
  let current = upperRune(runes[start]!);
  let startedUpper = isUpper(runes[start]!);
  for (let at = start + 1; at < runes.length; at++) {
    const previous = current;
    current = runes[at]!;
    if (isConnector(current) && isConnector(previous)) out += previous;
    else if (isConnector(previous)) {
      startedUpper = isUpper(current);
      current = upperRune(current);
    } else {
      if (startedUpper && isUpper(current)) current = lowerRune(current);
      else startedUpper = false;
      out += previous;
    }
  }
  return out + current;
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
