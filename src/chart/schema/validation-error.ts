import { quote } from "../../lang/template/index.ts";

/** Where in the values: the last part of the path, and what is before it. */
export type InstanceLocation = { readonly token: string; readonly above: InstanceLocation } | undefined;

/** Something that values violate, with what led to it. */
export type ValidationError = {
  readonly place: InstanceLocation;
  readonly message: string;
  /** A group has no words of its own where it is the outermost; a reference none where it has one cause. */
  readonly type: "plain" | "group" | "reference";
  readonly causes: readonly ValidationError[];
};

/** The lines that the library prints, each cause below what it is a cause of. Models santhosh-tekuri/jsonschema output.go */
export function validationErrorLines({ type, place, message, causes }: ValidationError, depth: number): readonly string[] {
  const isSkipped = type === "reference" && causes.length === 1;
  const below = causes.flatMap((cause) => validationErrorLines(cause, isSkipped ? depth : depth + 1));
  return isSkipped ? below : [`${"  ".repeat(depth)}- at ${quoted(pointerText(place))}: ${message}`, ...below];
}

export function pointerText(place: InstanceLocation): string {
  return place === undefined ? "" : `${pointerText(place.above)}/${escaped(place.token)}`;
}

/** A part of a JSON pointer. */
export function escaped(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** In single quotes, everything else as Go's `%q` has it. The library takes a last backslash for part of the quote. */
export function quoted(text: string): string {
  return `'${quote(text).replaceAll('\\"', '"').replaceAll("'", "\\'").slice(1, -1)}'`;
}

export function quotedList(texts: readonly string[]): string {
  return texts.map(quoted).join(", ");
}

/** A schema that cannot be used. */
export class SchemaFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemaFault";
  }
}
