import { finderOf } from "../../lang/re2/index.ts";
import { quote } from "../../lang/template/index.ts";
import { ipv6Problem } from "./format-address.ts";
import { dateProblem, dateTimeProblem, durationProblem, periodProblem, timeProblem } from "./format-time.ts";

/** Returns what is wrong with a text, or undefined. */
type FormatCheck = (text: string) => string | undefined;
export type Format = { readonly name: string; readonly check: FormatCheck };

/** A regular expression as Go understands it. */
export const isRegex: FormatCheck = (text) => {
  try {
    finderOf(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const jsonPointer: FormatCheck = (text) => {
  if (text === "") return undefined;
  if (!text.startsWith("/")) return "not starting with /";
  return /~(?![01])/.test(text) ? "~ must be followed by 0 or 1" : undefined;
};

const relativeJsonPointer: FormatCheck = (text) => {
  const [digits = ""] = /^\d*/.exec(text) ?? [];
  if (digits === "") return "must start with non-negative integer";
  if (digits.length > 1 && digits.startsWith("0")) return "starts with zero";
  const rest = text.slice(digits.length);
  return rest === "#" ? undefined : jsonPointer(rest);
};

const uuidLengths = [8, 4, 4, 4, 12];

const uuid: FormatCheck = (text) => {
  const groups = text.split("-");
  if (groups.length !== uuidLengths.length) return `must have ${uuidLengths.length} elements`;
  for (const [index, group] of groups.entries()) {
    if (Buffer.byteLength(group) !== uuidLengths[index]) return `element ${index + 1} must be ${uuidLengths[index]} characters long`;
    const odd = [...group].find((character) => !/[\da-fA-F]/.test(character));
    if (odd !== undefined) return `non-hex character ${runeText(odd)}`;
  }
  return undefined;
};

const ipv4: FormatCheck = (text) => {
  const groups = text.split(".");
  if (groups.length !== 4) return "expected four decimals";
  for (const group of groups) {
    if (group.length > 1 && group.startsWith("0")) return "leading zeros";
    if (!/^[-+]?\d+$/.test(group)) return `strconv.Atoi: parsing ${quote(group)}: invalid syntax`;
    if (Number(group) < 0 || Number(group) > 255) return "decimal must be between 0 and 255";
  }
  return undefined;
};

const hostname: FormatCheck = (text) => {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  if (Buffer.byteLength(name) > 253) return "more than 253 characters long";
  for (const label of name.split(".")) {
    if (label === "" || Buffer.byteLength(label) > 63) return "label must be 1 to 63 characters long";
    if (label.startsWith("-")) return "label starts with hyphen";
    if (label.endsWith("-")) return "label ends with hyphen";
    const odd = [...label].find((character) => !/[a-zA-Z\d-]/.test(character));
    if (odd !== undefined) return `invalid character ${runeText(odd)}`;
  }
  return undefined;
};

const email: FormatCheck = (text) => {
  if (Buffer.byteLength(text) > 254) return "more than 255 characters long";
  const at = text.lastIndexOf("@");
  if (at < 0) return "missing @";
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (Buffer.byteLength(local) > 64) return "local part more than 64 characters long";
  const wrong = localProblem(local);
  if (wrong !== undefined) return wrong;
  if (domain.startsWith("[") && domain.endsWith("]")) return addressProblem(domain.slice(1, -1));
  return about("invalid domain", hostname(domain));
};

function localProblem(local: string): string | undefined {
  if (local.length > 1 && local.startsWith('"'))
    return /[\\"]/.test(local.slice(1, -1)) ? "backslash and quote are not allowed within quoted local part" : undefined;
  if (local.startsWith(".")) return "starts with dot";
  if (local.endsWith(".")) return "ends with dot";
  if (local.includes("..")) return "consecutive dots";
  const odd = [...local].find((character) => !/[a-zA-Z\d.!#$%&'*+\-/=?^_`{|}~]/.test(character));
  return odd === undefined ? undefined : `invalid character ${runeText(odd)}`;
}

function addressProblem(address: string): string | undefined {
  if (address.startsWith("IPv6:")) return about("invalid ipv6 address", ipv6Problem(address.slice(5)));
  return about("invalid ipv4 address", ipv4(address));
}

/** The errors of Go's net/url that occur in practice: escapes, control characters, schemes, ports, brackets. */
function urlProblem(text: string): string | undefined {
  const parse = (problem: string) => `parse ${quote(text)}: ${problem}`;
  if ([...text].some((character) => character < " " || character === "\x7f")) return parse("net/url: invalid control character in URL");
  const escape = /%(?![\da-fA-F]{2}).{0,2}/s.exec(text.split("?", 1)[0]!);
  if (escape !== null) return parse(`invalid URL escape ${quote(escape[0])}`);
  if (text.startsWith(":")) return parse("missing protocol scheme");
  const scheme = /^[a-zA-Z][a-zA-Z\d+.-]*:/.exec(text);
  if (scheme === null && /^[^/?#]*:/.test(text)) return parse("first path segment in URL cannot contain colon");
  const [, host] = /^(?:[a-zA-Z][a-zA-Z\d+.-]*:)?\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(text) ?? [];
  if (host === undefined) return undefined;
  if (/\s/.test(host)) return parse(`invalid character ${quote(/\s/.exec(host)![0])} in host name`);
  if (host.startsWith("[") && !host.includes("]")) return parse("missing ']' in host");
  const [, port] = /:([^:\]]*)$/.exec(host) ?? [];
  return port !== undefined && !/^\d*$/.test(port) ? parse(`invalid port ${quote(`:${port}`)} after host`) : undefined;
}

const uri: FormatCheck = (text) => urlProblem(text) ?? (/^[a-zA-Z][a-zA-Z\d+.-]*:/.test(text) ? undefined : "relative url");

const uriReference: FormatCheck = (text) => (text.includes("\\") ? "contains \\" : urlProblem(text));

const semver: FormatCheck = (text) => {
  const [, core = "", before, build] = /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text) ?? [];
  if (build === "") return "build is empty";
  if (build?.split(".").includes("") === true) return "build identifier is empty";
  const oddInBuild = oddIn(build);
  if (oddInBuild !== undefined) return `invalid character ${runeText(oddInBuild)} in build identifier`;
  if (before?.split(".").includes("") === true) return "pre-release identifier is empty";
  const oddBefore = oddIn(before);
  if (oddBefore !== undefined) return `invalid character ${runeText(oddBefore)} in pre-release identifier`;
  if (before?.split(".").some((part) => /^0\d+$/.test(part)) === true) return "pre-release numeric identifier starts with zero";
  const numbers = core.split(".");
  if (numbers.length !== 3) return "versionCore must have 3 numbers separated by dot";
  for (const [index, name] of ["major", "minor", "patch"].entries()) {
    const number = numbers[index] ?? "";
    if (number === "") return `${name} is empty`;
    if (number.length > 1 && number.startsWith("0")) return `${name} starts with zero`;
    if (!/^\d+$/.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
};

/** The first character that an identifier of a version cannot have. */
function oddIn(identifiers: string | undefined): string | undefined {
  return [...(identifiers ?? "")].find((character) => !/[a-zA-Z\d.-]/.test(character));
}

function about(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what}: ${problem}`;
}

function runeText(character: string): string {
  return `'${character === "'" ? "\\'" : quote(character).slice(1, -1).replace('\\"', '"')}'`;
}

/** Formats by name. Models santhosh-tekuri/jsonschema format.go */
export const formats: Readonly<Record<string, FormatCheck>> = {
  "json-pointer": jsonPointer,
  "relative-json-pointer": relativeJsonPointer,
  uuid,
  duration: durationProblem,
  period: periodProblem,
  ipv4,
  ipv6: ipv6Problem,
  hostname,
  email,
  date: dateProblem,
  time: timeProblem,
  "date-time": dateTimeProblem,
  uri,
  iri: uri,
  "uri-reference": uriReference,
  "iri-reference": uriReference,
  "uri-template": urlProblem,
  semver,
};
