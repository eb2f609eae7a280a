import { declare, global, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { sizeOf, traversal } from "../size.ts";
import { listType, opaqueType, optionalType, stringType } from "../type.ts";
import { Items, Opaque, Optional, type CelValue } from "../value.ts";
import { parseDate, parseTimestamp } from "../time.ts";
import { parseRequestUri } from "./url-parser.ts";

/** Returns the errors of a string; none when it is valid. */
type Check = (text: string) => readonly string[];

class Format extends Opaque {
  readonly typeName = "kubernetes.NamedFormat";
  readonly name: string;
  readonly check: Check;
  /** The pattern length that Kubernetes assumes for the cost. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, check: Check) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.check = check;
  }

  equals(other: Opaque): boolean {
    return other instanceof Format && other.name === this.name;
  }

  toString(): string {
    return this.name;
  }
}

type Rule = { readonly longest: number; readonly pattern: string; readonly message: string; readonly examples: readonly string[] };

const label: Rule = {
  longest: 63,
  pattern: "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ["my-name", "123-abc"],
};

const subdomain: Rule = {
  longest: 253,
  pattern: String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ["example.com"],
};

const oldLabel: Rule = {
  longest: 63,
  pattern: "[a-z]([-a-z0-9]*[a-z0-9])?",
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ["my-name", "abc-123"],
};

const labelKey: Rule = {
  longest: 63,
  pattern: "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
  message: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ["MyName", "my.name", "123-abc"],
};

const labelValue: Rule = {
  longest: 63,
  pattern: `(${labelKey.pattern})?`,
  message:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ["MyValue", "my_value", "12345"],
};

function tooLong(longest: number): string {
  return `must be no more than ${longest} bytes`;
}

function explain({ message, examples, pattern }: Rule): string {
  return `${message} (e.g. ${examples.map((each) => `'${each}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

/** Models apimachinery pkg/util/validation/validation.go */
function checkRule(rule: Rule): Check {
  const pattern = new RegExp(`^(?:${rule.pattern})$`);
  return (text) => [
    ...(new TextEncoder().encode(text).length > rule.longest ? [tooLong(rule.longest)] : []),
    ...(pattern.test(text) ? [] : [explain(rule)]),
  ];
}

/** A name prefix may end in a dash. */
function asPrefix(check: Check): Check {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text);
}

const [checkSubdomain, checkKey] = [checkRule(subdomain), checkRule(labelKey)];

function checkQualifiedName(text: string): readonly string[] {
  const parts = text.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${explain(labelKey)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [prefix, name = ""] = parts.length === 2 ? parts : [undefined, parts[0]];
  const wrongPrefix =
    prefix === undefined
      ? []
      : prefix === ""
        ? ["prefix part must be non-empty"]
        : checkSubdomain(prefix).map((wrong) => `prefix part ${wrong}`);
  const isEmpty = name === "" ? ["name part must be non-empty"] : [];
  return [...wrongPrefix, ...isEmpty, ...checkKey(name).map((wrong) => `name part ${wrong}`)];
}

function unless(holds: (text: string) => boolean, wrong: string): Check {
  return (text) => (holds(text) ? [] : [wrong]);
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Models apiserver pkg/cel/library/format.go ConstantFormats */
const formats: ReadonlyMap<string, Format> = new Map([
  ["dns1123Label", new Format("DNS1123Label", 30, checkRule(label))],
  ["dns1123Subdomain", new Format("DNS1123Subdomain", 60, checkSubdomain)],
  ["dns1035Label", new Format("DNS1035Label", 30, checkRule(oldLabel))],
  ["qualifiedName", new Format("QualifiedName", 60, checkQualifiedName)],
  ["dns1123LabelPrefix", new Format("DNS1123LabelPrefix", 30, asPrefix(checkRule(label)))],
  ["dns1123SubdomainPrefix", new Format("DNS1123SubdomainPrefix", 60, asPrefix(checkSubdomain))],
  ["dns1035LabelPrefix", new Format("DNS1035LabelPrefix", 30, asPrefix(checkRule(oldLabel)))],
  ["labelValue", new Format("LabelValue", 40, checkRule(labelValue))],
  ["uri", new Format("URI", 1103, (text) => [parseRequestUri(text)].filter((each) => typeof each === "string"))],
  [
    "uuid",
    new Format(
      "uuid",
      72,
      unless((text) => uuid.test(text), "does not match the UUID format"),
    ),
  ],
  [
    "byte",
    new Format(
      "byte",
      84,
      unless((text) => text !== "" && base64.test(text), "invalid base64"),
    ),
  ],
  [
    "date",
    new Format(
      "date",
      72,
      unless((text) => parseDate(text) !== undefined, "invalid date"),
    ),
  ],
  [
    "datetime",
    new Format(
      "datetime",
      72,
      unless((text) => parseTimestamp(text) !== undefined, "invalid datetime"),
    ),
  ],
]);

function validate(format: Format, text: string): Optional {
  const wrong = format.check(text);
  return wrong.length === 0 ? Optional.none : new Optional(new Items(wrong));
}

function named(name: string): Optional {
  const format = formats.get(name);
  return format === undefined ? Optional.none : new Optional(format);
}

const type = opaqueType("kubernetes.NamedFormat");
const taken = takes.opaque("kubernetes.NamedFormat", (value: CelValue): value is Format => value instanceof Format);

function validateCost([format, text]: readonly CelValue[]): number {
  return format instanceof Format ? traversal(1 + sizeOf(text)) * Math.ceil(format.patternSize * 0.25) : 1;
}

/** Models apiserver pkg/cel/library/format.go */
export const namedFormats: readonly FunctionDeclaration[] = [
  ...[...formats].map(([name, format]) =>
    declare(
      `format.${name}`,
      global(`format.${name}`, [], type, () => format),
    ),
  ),
  declare("format.named", global("format-named", [takes.string], optionalType(type), named)),
  declare("validate", member("format-validate", [taken, takes.string], optionalType(listType(stringType)), validate, validateCost)),
];
