/** A parsed UTC offset. */
type WrittenOffset = {
  readonly sign: 1 | -1;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly length: number;
};

const forms: Readonly<Record<string, RegExp>> = {
  "07": /^([+-])(\d\d)/,
  "0700": /^([+-])(\d\d)(\d\d)/,
  "070000": /^([+-])(\d\d)(\d\d)(\d\d)/,
  "07:00": /^([+-])(\d\d):(\d\d)/,
  "07:00:00": /^([+-])(\d\d):(\d\d):(\d\d)/,
};

/** Parses the offset at the beginning of the text, in the form of the layout element. */
export function readOffset(element: string, text: string): WrittenOffset | undefined {
  const found = forms[element.slice(1)]?.exec(text);
  if (found === undefined || found === null) return undefined;
  const [all, sign, hours, minutes = 0, seconds = 0] = found;
  return {
    sign: sign === "-" ? -1 : 1,
    hours: Number(hours),
    minutes: Number(minutes),
    seconds: Number(seconds),
    length: all.length,
  };
}

/** The zone abbreviation at the beginning of the text: `CET`, `ChST`, `GMT+3`, `-03`. */
export function zoneNameIn(text: string): string | undefined {
  if (text.startsWith("ChST") || text.startsWith("MeST")) return text.slice(0, 4);
  if (text.startsWith("GMT")) return `GMT${signedHours(text.slice(3))}`;
  if (/^[+-]/.test(text) && text.length >= 3) return signedHours(text) || undefined;
  const letters = /^[A-Z]{0,6}/.exec(text)![0];
  switch (letters.length) {
    case 3:
      return letters;
    case 4:
      return letters.endsWith("T") || letters === "WITA" ? letters : undefined;
    case 5:
      return letters.endsWith("T") ? letters : undefined;
    default:
      return undefined;
  }
}

function signedHours(text: string): string {
  const found = /^[+-](\d+)/.exec(text);
  return found === null || Number(found[1]) > 23 ? "" : found[0];
}
