import type { KubeObject } from "../../core/object/index.ts";
import { compileRe2 } from "../../lang/re2/index.ts";
import type { Claims, DeletePolicy, Gate, LogFilter, Need, Operation, Stage, Tracking } from "./claim.ts";
import { parseDuration } from "./duration.ts";

/** One annotation that is being read. */
export type Reading = {
  readonly key: string;
  readonly value: string;
  /** What the key's pattern caught: the `<id>` or the `<container>`. */
  readonly part: string;
  readonly object: KubeObject;
  readonly annotations: Readonly<Record<string, string>>;
  /** Notes that the value cannot be meant. `expected` follows "expected"; it says what would be right, and the remedy. */
  readonly refuse: (expected: string) => Said;
};

/** What annotations say, before it is settled what that makes of the object. Lists of several annotations are joined. */
export type Said = {
  readonly ranks?: readonly { readonly key: string; readonly value: number; readonly gate: Gate }[];
  readonly hookWeight?: number;
  readonly hook?: Stages;
  readonly deployOn?: Stages;
  /** Gates that add to the one of a rank. */
  readonly gates?: readonly Gate[];
  /** The gate in place of the one of a rank. */
  readonly gate?: Gate;
  readonly health?: string;
  readonly barrier?: boolean;
  readonly needs?: readonly Need[];
  readonly deletionNeeds?: readonly Need[];
  readonly deletionPhase?: number;
  readonly propagation?: NonNullable<Claims["deletion"]["propagation"]>;
  readonly hookDeletePolicies?: readonly DeletePolicy[];
  readonly jobDeletePolicies?: readonly DeletePolicy[];
  readonly deletePolicies?: readonly DeletePolicy[];
  readonly keep?: Partial<Claims["keep"]>;
  readonly remove?: Claims["remove"];
  readonly ownership?: Claims["ownership"];
  readonly replicasOnCreation?: number;
  readonly timeoutMs?: number;
  readonly waitForKind?: boolean;
  readonly tracking?: Partial<Omit<Tracking, "logs" | "ignoreProbeFailuresMs">>;
  readonly probes?: Tracking["ignoreProbeFailuresMs"];
  readonly logs?: Partial<Omit<LogFilter, "keep" | "drop">>;
  readonly keepLines?: LogFilter["keep"];
  readonly dropLines?: LogFilter["drop"];
  readonly sensitive?: boolean;
  readonly sensitivePaths?: readonly string[];
  /** The dialects that ordered it. */
  readonly orderedBy?: readonly ("werf" | "kots")[];
};

export type Stages = Readonly<Partial<Record<Operation, readonly Stage[]>>>;

export type Reader = (reading: Reading) => Said;

/** A way of writing order into annotations. */
export type Dialect = {
  readonly name: string;
  /** Tells keys that can only be meant for this dialect: one that it does not know is a typing error. */
  readonly owns: (key: string) => boolean;
  readonly keys: Readonly<Record<string, Reader>>;
  /** Keys with a part that users choose, which the pattern catches. */
  readonly patterns?: readonly (readonly [RegExp, Reader])[];
  /** Keys of the same family that say nothing about order. */
  readonly silent?: readonly string[];
};

/** Joins what several annotations say. */
export function joined(a: Said, b: Said): Said {
  const both: Record<string, unknown> = { ...a };
  for (const [field, value] of Object.entries(b)) {
    const before = both[field];
    if (Array.isArray(before) && Array.isArray(value)) both[field] = [...before, ...value];
    else if (typeof before === "object" && typeof value === "object") both[field] = { ...before, ...value };
    else both[field] = value;
  }
  return both as Said;
}

/** Reads a whole number within bounds. */
export function integer(bounds: { least: number; most: number }, say: (value: number, reading: Reading) => Said): Reader {
  return (reading) => {
    const value = /^[+-]?\d+$/.test(reading.value) ? Number(reading.value) : Number.NaN;
    if (value >= bounds.least && value <= bounds.most) return say(value === 0 ? 0 : value, reading);
    return reading.refuse(`an integer${within(bounds)} in quotes, for example "${Math.max(1, bounds.least)}"`);
  };
}

function within({ least, most }: { least: number; most: number }): string {
  if (most < Number.MAX_SAFE_INTEGER) return ` from ${least} to ${most}`;
  return least > Number.MIN_SAFE_INTEGER ? ` of at least ${least}` : "";
}

export const anyInteger = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
export const natural = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** Reads one of some words. */
export function oneOf<Value>(words: Readonly<Record<string, Value>>, say: (value: Value, reading: Reading) => Said): Reader {
  return (reading) => {
    if (Object.hasOwn(words, reading.value)) return say(words[reading.value]!, reading);
    return reading.refuse(choice(Object.keys(words)));
  };
}

/** Reads a list of words, parted by commas. */
export function wordsOf<Value>(
  words: Readonly<Record<string, Value>>,
  say: (values: readonly Value[], reading: Reading) => Said,
  { empty = false } = {},
): Reader {
  return (reading) => {
    const parts = reading.value.split(",").map((part) => part.trim());
    if (empty && reading.value.trim() === "") return say([], reading);
    if (parts.every((part) => Object.hasOwn(words, part)))
      return say(
        [...new Set(parts)].map((part) => words[part]!),
        reading,
      );
    return reading.refuse(`a list, parted by commas, of ${choice(Object.keys(words))}`);
  };
}

function choice(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)!}`;
}

const goBooleans: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...["1", "t", "T", "TRUE", "true", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((word) => [word, false] as const),
]);

/** Reads a truth value in any of Go's spellings. */
export function boolean(say: (value: boolean) => Said): Reader {
  return (reading) => {
    const value = goBooleans[reading.value];
    return value === undefined ? reading.refuse('"true" or "false"') : say(value);
  };
}

export function duration(least: "above 0" | "0 or more", say: (ms: number, reading: Reading) => Said): Reader {
  return (reading) => {
    const ms = parseDuration(reading.value);
    if (ms !== undefined && (least === "above 0" ? ms > 0 : ms >= 0)) return say(ms, reading);
    return reading.refuse(`a duration ${least} such as 90s, 10m or 1h30m`);
  };
}

/** Reads a regular expression of Go's kind. */
export function pattern(say: (text: string, reading: Reading) => Said): Reader {
  return (reading) => {
    try {
      compileRe2(reading.value);
      return say(reading.value, reading);
    } catch (error) {
      return reading.refuse(`a regular expression as Go takes it: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Reads a list of names, parted by commas; none of them may be empty. */
export function names(say: (values: readonly string[]) => Said): Reader {
  return (reading) => {
    const parts = reading.value.split(",").map((part) => part.trim());
    return parts.includes("") ? reading.refuse("names, parted by commas, none of them empty") : say(parts);
  };
}

/** werf trims values before it reads them. */
export function trimmed(read: Reader): Reader {
  return (reading) => read({ ...reading, value: reading.value.trim() });
}
