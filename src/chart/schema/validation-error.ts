import { quote } from "../../lang/template/index.ts";

/** A location in the values: the last token of the path, and the location above it. */
export type InstanceLocation = { readonly token: string; readonly above: InstanceLocation } | undefined;

/** A violation with its causes. */
export type ValidationError = {
  readonly place: InstanceLocation;
  readonly message: string;
  /** An outermost group prints no line of its own. A reference prints none when it has one cause. */
  readonly type: "plain" | "group" | "reference";
  readonly causes: readonly ValidationError[];
};

/** The lines that the library prints, each cause below its effect. Models santhosh-tekuri/jsonschema output.go */
function validationErrorLines({ type, place, message, causes }: ValidationError, depth: number): readonly string[] {
  const isSkipped = type === "reference" && causes.length === 1;
  const below = causes.flatMap((cause) => validationErrorLines(cause, isSkipped ? depth : depth + 1));
  return isSkipped ? below : [`${"  ".repeat(depth)}- at ${quoted(pointerText(place))}: ${message}`, ...below];
}

/** The lines of a whole validation. An outermost group prints no line of its own. */
export function outermostErrorLines(failure: ValidationError): readonly string[] {
  return failure.type === "group" ? failure.causes.flatMap((cause) => validationErrorLines(cause, 0)) : validationErrorLines(failure, 0);
}

function pointerText(place: InstanceLocation): string {
  return place === undefined ? "" : `${pointerText(place.above)}/${escaped(place.token)}`;
}

/** A part of a JSON pointer. */
export function escaped(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Quotes with single quotes, otherwise like Go's `%q`. The library treats a last backslash as part of the quote. */
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

/** A schema that refers to a remote one, which has yet to be fetched. */
export class UnfetchedSchema extends Error {
  constructor(url: string) {
    super(`${url} has not been fetched`);
    this.name = "UnfetchedSchema";
  }
}
