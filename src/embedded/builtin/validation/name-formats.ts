// Models apimachinery pkg/util/validation/validation.go and pkg/api/validate/content. Every check returns the error
// messages.

/** The errors of a value; empty when it is valid. */
export type StringFormatCheck = (value: string) => readonly string[];

const size = (text: string): number => Buffer.byteLength(text, "utf8");

export function regexError(message: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return examples.length === 0
    ? `${message} (regex used for validation is '${pattern}')`
    : `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

export function inclusiveRange(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

const tooManyCharacters = (max: number): string => `must be no more than ${max} characters`;
const tooManyBytes = (max: number): string => `must be no more than ${max} bytes`;

function formatted(pattern: string, problem: string, max = Number.POSITIVE_INFINITY): StringFormatCheck {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (value) => [...(size(value) > max ? [tooManyCharacters(max)] : []), ...(whole.test(value) ? [] : [problem])];
}

const labelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const labelProblem = regexError(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelFormat,
  "my-name",
  "123-abc",
);

export const checkDnsSubdomain = formatted(
  subdomainFormat,
  regexError(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    subdomainFormat,
    "example.com",
  ),
  253,
);

const underscoredFormat = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
export const checkDnsSubdomainWithUnderscore = formatted(
  `${underscoredFormat}(\\.${underscoredFormat})*`,
  regexError(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    `${underscoredFormat}(\\.${underscoredFormat})*`,
    "example.com",
  ),
  253,
);

const isLabel = new RegExp(`^${labelFormat}$`);
const isSubdomain = new RegExp(`^${subdomainFormat}$`);

export const checkDnsLabel: StringFormatCheck = (value) => {
  const long = size(value) > 63 ? [tooManyCharacters(63)] : [];
  if (isLabel.test(value)) return long;
  return [...long, isSubdomain.test(value) ? "must not contain dots" : labelProblem];
};

const label1035Format = "[a-z]([-a-z0-9]*[a-z0-9])?";
export const checkDns1035Label = formatted(
  label1035Format,
  regexError(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    label1035Format,
    "my-name",
    "abc-123",
  ),
  63,
);

export const checkWildcardSubdomain = formatted(
  `\\*\\.${subdomainFormat}`,
  regexError(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    `\\*\\.${subdomainFormat}`,
    "*.example.com",
  ),
  253,
);

const keyFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const isKeyName = new RegExp(`^${keyFormat}$`);
const keyProblem = regexError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyFormat,
  "MyName",
  "my.name",
  "123-abc",
);

/** A label's or annotation's key, a finalizer, a condition's type: `example.com/name`. */
export const checkQualifiedName: StringFormatCheck = (value) => {
  const parts = value.split("/");
  if (parts.length > 2)
    return [`a valid label key ${keyProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [
    ...(prefix === undefined ? [] : prefixProblems(prefix)),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...(size(name) > 63 ? [`name part ${tooManyBytes(63)}`] : []),
    ...(isKeyName.test(name) ? [] : [`name part ${keyProblem}`]),
  ];
};

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return checkDnsSubdomain(prefix).map(
    (problem) => `prefix part ${problem.replace("characters", prefix.length > 253 ? "bytes" : "characters")}`,
  );
}

const isLabelValue = new RegExp(`^(?:(${keyFormat})?)$`);
export const checkLabelValue: StringFormatCheck = (value) => [
  ...(size(value) > 63 ? [tooManyBytes(63)] : []),
  ...(isLabelValue.test(value)
    ? []
    : [
        regexError(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
          `(${keyFormat})?`,
          "MyValue",
          "my_value",
          "12345",
        ),
      ]),
];

function upward(value: string): readonly string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

const configKeyFormat = "[-._a-zA-Z0-9]+";
const configKeyCharacters = formatted(
  configKeyFormat,
  regexError(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    configKeyFormat,
    "key.name",
    "KEY_NAME",
    "key-name",
  ),
  253,
);
export const checkConfigKey: StringFormatCheck = (value) => [...configKeyCharacters(value), ...upward(value)];

export const checkEnvironmentName: StringFormatCheck = (value) => {
  if (value === "") return ["environment variable name must be non-empty"];
  const printable = /^[\u0020-\u003c\u003e-\u007e]*$/.test(value);
  return printable ? [] : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

export const checkPercentage = formatted(
  "[0-9]+%",
  regexError("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%"),
);

export const checkHeaderName = formatted(
  "[-A-Za-z0-9]+",
  regexError("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", "X-Header-Name"),
);

export const checkPortName: StringFormatCheck = (value) => [
  ...(size(value) > 15 ? [tooManyCharacters(15)] : []),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
  ...(/[a-z]/.test(value) ? [] : ["must contain at least one letter (a-z)"]),
  ...(value.includes("--") ? ["must not contain consecutive hyphens"] : []),
  ...(value.startsWith("-") || value.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
];

/** Names without a format of their own. The server still rejects names that break a URL. */
export const checkNothing: StringFormatCheck = () => [];

/** Names that need only be a valid path segment, as in RBAC. */
export const checkPathSegment: StringFormatCheck = (value) => {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};

/** Checks a prefix of generated names: it may end with a dash. */
export function asPrefix(check: StringFormatCheck): StringFormatCheck {
  if (check === checkPathSegment)
    return (value) => ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
  return (value) => check(value.length > 1 && value.endsWith("-") ? `${value.slice(0, -2)}a` : value);
}
