import type { KubeObject } from "../../core/object/index.ts";
import { compileRe2 } from "../../lang/re2/index.ts";
import type { OrderingConstraints, DeletePolicy, Gate, LogFilter, Need, Operation, Stage, Tracking } from "./ordering-constraints.ts";
import { parseDuration } from "./parse-duration.ts";

/** One annotation, as its reader gets it. */
export type Annotation = {
  readonly key: string;
  readonly value: string;
  /** What the key's pattern captured: the `<id>` or the `<container>`. */
  readonly part: string;
  readonly object: KubeObject;
  readonly annotations: Readonly<Record<string, string>>;
  /** Reports an invalid value. `expected` follows the word "expected": a valid value and the remedy. */
  readonly refuse: (expected: string) => ParsedAnnotations;
  /** Warns of a value that is taken, but hardly as it was meant. `taken` follows the value. */
  readonly warn: (taken: string) => void;
};

/** What the annotations of an object say, before defaults. Lists of several annotations are concatenated. */
export type ParsedAnnotations = {
  readonly ranks?: readonly { readonly key: string; readonly value: number; readonly gate: Gate }[];
  readonly hookWeight?: number;
  readonly hook?: StagesByOperation;
  readonly deployOn?: StagesByOperation;
  /** Gates in addition to the one of the rank. */
  readonly gates?: readonly Gate[];
  /** The gate instead of the one of the rank. */
  readonly gate?: Gate;
  readonly health?: string;
  readonly barrier?: boolean;
  readonly needs?: readonly Need[];
  readonly deletionNeeds?: readonly Need[];
  readonly deletionPhase?: number;
  readonly propagation?: NonNullable<OrderingConstraints["deletion"]["propagation"]>;
  readonly hookDeletePolicies?: readonly DeletePolicy[];
  readonly jobDeletePolicies?: readonly DeletePolicy[];
  readonly deletePolicies?: readonly DeletePolicy[];
  readonly keep?: Partial<OrderingConstraints["keep"]>;
  readonly remove?: OrderingConstraints["remove"];
  readonly ownership?: OrderingConstraints["ownership"];
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
  /** The dialects that order it. */
  readonly orderedBy?: readonly ("werf" | "kots")[];
};

export type StagesByOperation = Readonly<Partial<Record<Operation, readonly Stage[]>>>;

export type AnnotationReader = (annotation: Annotation) => ParsedAnnotations;

/** A set of annotations that order objects. */
export type Dialect = {
  readonly name: string;
  /** Whether a key belongs to this dialect. An unknown key of the dialect is a typing error. */
  readonly owns: (key: string) => boolean;
  readonly keys: Readonly<Record<string, AnnotationReader>>;
  /** Keys with a user-chosen part, which the pattern captures. */
  readonly patterns?: readonly (readonly [RegExp, AnnotationReader])[];
  /** Keys of the dialect that do not order anything. */
  readonly silent?: readonly string[];
};

/** Merges what two annotations say. */
export function mergeParsed(a: ParsedAnnotations, b: ParsedAnnotations): ParsedAnnotations {
  const both: Record<string, unknown> = { ...a };
  for (const [field, value] of Object.entries(b)) {
    const before = both[field];
    if (Array.isArray(before) && Array.isArray(value)) both[field] = [...before, ...value];
    else if (typeof before === "object" && typeof value === "object") both[field] = { ...before, ...value };
    else both[field] = value;
  }
  return both as ParsedAnnotations;
}

/** Reads an integer within bounds. */
export function integerReader(
  bounds: { least: number; most: number },
  parse: (value: number, annotation: Annotation) => ParsedAnnotations,
): AnnotationReader {
  return (annotation) => {
    const value = /^[+-]?\d+$/.test(annotation.value) ? Number(annotation.value) : Number.NaN;
    if (value >= bounds.least && value <= bounds.most) return parse(value === 0 ? 0 : value, annotation);
    return annotation.refuse(`an integer${within(bounds)} in quotes, for example "${Math.max(1, bounds.least)}"`);
  };
}

function within({ least, most }: { least: number; most: number }): string {
  if (most < Number.MAX_SAFE_INTEGER) return ` from ${least} to ${most}`;
  return least > Number.MIN_SAFE_INTEGER ? ` of at least ${least}` : "";
}

export const anyInteger = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
export const natural = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** Reads one of several words. */
export function enumReader<Value>(
  words: Readonly<Record<string, Value>>,
  parse: (value: Value, annotation: Annotation) => ParsedAnnotations,
): AnnotationReader {
  return (annotation) => {
    if (Object.hasOwn(words, annotation.value)) return parse(words[annotation.value]!, annotation);
    return annotation.refuse(choice(Object.keys(words)));
  };
}

/** Reads a comma-separated list of words. */
export function enumListReader<Value>(
  words: Readonly<Record<string, Value>>,
  parse: (values: readonly Value[], annotation: Annotation) => ParsedAnnotations,
): AnnotationReader {
  return (annotation) => {
    const parts = annotation.value.split(",").map((part) => part.trim());
    if (parts.every((part) => Object.hasOwn(words, part)))
      return parse(
        [...new Set(parts)].map((part) => words[part]!),
        annotation,
      );
    return annotation.refuse(`a list, parted by commas, of ${choice(Object.keys(words))}`);
  };
}

export function choice(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)!}`;
}

const goBooleans: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...["1", "t", "T", "TRUE", "true", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((word) => [word, false] as const),
]);

/** Reads a boolean in any spelling that Go accepts. */
export function booleanReader(parse: (value: boolean) => ParsedAnnotations): AnnotationReader {
  return (annotation) => {
    const value = goBooleans[annotation.value];
    return value === undefined ? annotation.refuse('"true" or "false"') : parse(value);
  };
}

export function durationReader(
  least: "above 0" | "0 or more",
  parse: (ms: number, annotation: Annotation) => ParsedAnnotations,
): AnnotationReader {
  return (annotation) => {
    const ms = parseDuration(annotation.value);
    if (ms !== undefined && (least === "above 0" ? ms > 0 : ms >= 0)) return parse(ms, annotation);
    return annotation.refuse(`a duration ${least} such as 90s, 10m or 1h30m`);
  };
}

/** Reads a Go regular expression. */
export function regexReader(parse: (text: string, annotation: Annotation) => ParsedAnnotations): AnnotationReader {
  return (annotation) => {
    try {
      compileRe2(annotation.value);
      return parse(annotation.value, annotation);
    } catch (error) {
      return annotation.refuse(`a regular expression as Go takes it: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Reads a comma-separated list of names; none may be empty. */
export function nameListReader(parse: (values: readonly string[]) => ParsedAnnotations): AnnotationReader {
  return (annotation) => {
    const parts = annotation.value.split(",").map((part) => part.trim());
    return parts.includes("") ? annotation.refuse("names, parted by commas, none of them empty") : parse(parts);
  };
}

/** werf trims values before it reads them. */
export function trimmedReader(read: AnnotationReader): AnnotationReader {
  return (annotation) => read({ ...annotation, value: annotation.value.trim() });
}
