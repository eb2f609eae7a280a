import { declare, global, member, takes, type Cost, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { sizeOf, traversal } from "../size.ts";
import { boolType, intType, opaqueType } from "../type.ts";
import { Opaque, type CelValue } from "../value.ts";

type Version = { readonly numbers: readonly [bigint, bigint, bigint]; readonly pre: readonly string[] };

class Semver extends Opaque {
  readonly typeName = "kubernetes.Semver";
  readonly version: Version;
  readonly text: string;

  constructor(version: Version, text: string) {
    super();
    this.version = version;
    this.text = text;
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0n;
  }

  toString(): string {
    return this.text;
  }
}

/** Parses a version, or returns the error message. */
function parseVersion(text: string): Version | string {
  if (text === "") return "Version string empty";
  const [major, minor, ...others] = text.split(".");
  if (major === undefined || minor === undefined || others.length === 0) return "No Major.Minor.Patch elements found";
  const rest = others.join(".");
  const [beforeBuild = "", build] = splitOnce(rest, "+");
  const [patch = "", pre] = splitOnce(beforeBuild, "-");
  const numbers = [
    ["Major", major],
    ["Minor", minor],
    ["Patch", patch],
  ] as const;
  const wrong = numbers.map(([what, digits]) => wrongNumber(what, digits)).find((each) => each !== undefined);
  const identifiers = pre === undefined ? [] : pre.split(".");
  const wrongPart = wrong ?? identifiers.map(wrongPreRelease).find((each) => each !== undefined) ?? wrongBuild(build);
  return wrongPart ?? { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], pre: identifiers };
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function wrongNumber(what: string, digits: string): string | undefined {
  if (!/^\d*$/.test(digits)) return `Invalid character(s) found in ${what.toLowerCase()} number ${JSON.stringify(digits)}`;
  if (digits.length > 1 && digits.startsWith("0")) return `${what} number must not contain leading zeroes ${JSON.stringify(digits)}`;
  return digits === "" ? `strconv.ParseUint: parsing "": invalid syntax` : undefined;
}

function wrongPreRelease(part: string): string | undefined {
  if (part === "") return "Prerelease is empty";
  if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
}

function wrongBuild(build: string | undefined): string | undefined {
  for (const part of build?.split(".") ?? []) {
    if (part === "") return "Build meta data is empty";
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
  }
  return undefined;
}

/** Removes a leading `v` and leading zeros, and adds missing numbers. Models apiserver pkg/cel/library/semverlib.go */
function normalize(text: string): string | { readonly wrong: string } {
  const [major = "", minor, ...others] = text.replace(/^v/, "").split(".");
  const parts = minor === undefined ? [major] : others.length === 0 ? [major, minor] : [major, minor, others.join(".")];
  const trimmed = parts.map((part) => {
    if (part.length <= 1) return part;
    const rest = part.replace(/^0+/, "");
    return /^\d/.test(rest) ? rest : `0${rest}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? "")) return { wrong: "short version cannot contain PreRelease/Build meta data" };
  return [...trimmed, "0", "0"].slice(0, Math.max(3, trimmed.length)).join(".");
}

function read(text: string, isLenient: boolean): Semver | string {
  const plain = isLenient ? normalize(text) : text;
  if (typeof plain !== "string") return plain.wrong;
  const version = parseVersion(plain);
  return typeof version === "string" ? version : new Semver(version, plain);
}

function semverOf(text: string, isLenient: boolean): Semver {
  const found = read(text, isLenient);
  return typeof found === "string" ? fail(found) : found;
}

function compareVersions({ version: left }: Semver, { version: right }: Semver): bigint {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1n : 1n;
  }
  if (left.pre.length === 0 || right.pre.length === 0) return BigInt(Math.sign(right.pre.length - left.pre.length));
  return comparePreReleases(left.pre, right.pre);
}

function comparePreReleases(left: readonly string[], right: readonly string[]): bigint {
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1n;
    if (part !== other) return comparePart(part, other);
  }
  return left.length < right.length ? -1n : 0n;
}

/** Numeric identifiers sort before alphanumeric ones. */
function comparePart(left: string, right: string): bigint {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isNumber !== isOtherNumber) return isNumber ? -1n : 1n;
  if (isNumber) return BigInt(left) < BigInt(right) ? -1n : 1n;
  return left < right ? -1n : 1n;
}

const semver = takes.opaque("kubernetes.Semver", (value: CelValue): value is Semver => value instanceof Semver);
const type = opaqueType("kubernetes.Semver");
const once: Cost = ([text]) => traversal(sizeOf(text));

/** Models apiserver pkg/cel/library/semverlib.go */
export const semvers: readonly FunctionDeclaration[] = [
  declare(
    "semver",
    global("string_to_semver", [takes.string], type, (text) => semverOf(text, false), once),
    global("string_bool_to_semver", [takes.string, takes.bool], type, semverOf, once),
  ),
  declare(
    "isSemver",
    global("is_semver_string", [takes.string], boolType, (text) => typeof read(text, false) !== "string", once),
    global(
      "is_semver_string_bool",
      [takes.string, takes.bool],
      boolType,
      (text, isLenient) => typeof read(text, isLenient) !== "string",
      once,
    ),
  ),
  declare(
    "isGreaterThan",
    member("semver_is_greater_than", [semver, semver], boolType, (left, right) => compareVersions(left, right) > 0n),
  ),
  declare(
    "isLessThan",
    member("semver_is_less_than", [semver, semver], boolType, (left, right) => compareVersions(left, right) < 0n),
  ),
  declare("compareTo", member("semver_compare_to", [semver, semver], intType, compareVersions)),
  declare(
    "major",
    member("semver_major", [semver], intType, ({ version }) => version.numbers[0]),
  ),
  declare(
    "minor",
    member("semver_minor", [semver], intType, ({ version }) => version.numbers[1]),
  ),
  declare(
    "patch",
    member("semver_patch", [semver], intType, ({ version }) => version.numbers[2]),
  ),
];
