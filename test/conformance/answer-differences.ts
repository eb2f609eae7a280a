import { isFields, type Fields } from "../../src/core/object/index.ts";

/** Lists where two values differ: `body.spec.replicas: recorded 3, got 1`. At most `most` lines, and how many more there are. */
export function answerDifferences(recorded: unknown, got: unknown, most = 12): string[] {
  const lines = [...differing(recorded, got, "")];
  return lines.length <= most ? lines : [...lines.slice(0, most), `… and ${lines.length - most} more`];
}

function* differing(recorded: unknown, got: unknown, at: string): Generator<string> {
  if (isFields(recorded) && isFields(got)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(got)])) {
      yield* differing(recorded[key], got[key], at === "" ? key : `${at}.${key}`);
    }
  } else if (Array.isArray(recorded) && Array.isArray(got) && recorded.length === got.length) {
    for (const [index, item] of recorded.entries()) yield* differing(item, got[index], `${at}[${index}]`);
  } else if (isNamedList(recorded) && isNamedList(got)) {
    yield* differing(byName(recorded), byName(got), at);
  } else if (JSON.stringify(recorded) !== JSON.stringify(got)) {
    yield `${at}: recorded ${short(recorded)}, got ${short(got)}`;
  }
}

/** Lists of different length are compared by the names of their items, if they have names. */
function isNamedList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => nameOf(item) !== undefined);
}

function byName(list: readonly Fields[]): Fields {
  return Object.fromEntries(list.map((item) => [nameOf(item) ?? "", item]));
}

function nameOf(item: unknown): string | undefined {
  const name = isFields(item) ? (item["name"] ?? item["resource"] ?? item["manager"] ?? item["field"]) : undefined;
  return typeof name === "string" ? name : undefined;
}

function short(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
