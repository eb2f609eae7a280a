/** A parsed version. The numbers have 64 bits, as in Go. */
export type Version = {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  /** The text it was parsed from. */
  readonly original: string;
};

const longestVersion = 256;
const largestSegment = 2n ** 64n - 1n;

const loose =
  /^v?([0-9]+)(?:\.([0-9]+)(?:\.([0-9]+))?)?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Parses a version leniently: a leading `v`, missing parts and leading zeros are allowed. */
export function parseVersion(text: string): Version {
  if (Buffer.byteLength(text) > longestVersion) throw new Error(`version string is too long (max ${longestVersion} bytes)`);
  const found = loose.exec(text);
  if (found === null) throw new Error("invalid semantic version");
  const [, major = "0", minor = "0", patch = "0", prerelease = "", metadata = ""] = found;
  const version = {
    major: looseSegment(major),
    minor: looseSegment(minor),
    patch: looseSegment(patch),
    prerelease,
    metadata,
    original: text,
  };
  if (prerelease !== "") checkPrerelease(prerelease);
  return version;
}

/** Parses a version strictly as semver.org defines it: three numbers, no `v`, no leading zeros. */
export function parseStrictVersion(text: string): Version {
  if (text === "") throw new Error("version string empty");
  if (Buffer.byteLength(text) > longestVersion) throw new Error(`version string is too long (max ${longestVersion} bytes)`);
  const [major, minor, ...rest] = text.split(".");
  if (major === undefined || minor === undefined || rest.length === 0) throw new Error("invalid semantic version");
  const [release, metadata] = cut(rest.join("."), "+");
  if (metadata !== undefined) checkIdentifiers(metadata, "invalid metadata string");
  const [patch, prerelease] = cut(release, "-");
  if (prerelease !== undefined) checkPrerelease(prerelease);
  for (const part of [major, minor, patch]) checkStrictSegment(part);
  return {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease: prerelease ?? "",
    metadata: metadata ?? "",
    original: text,
  };
}

/** The canonical text: without a `v`, with all three numbers. */
export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === "" ? "" : `-${prerelease}`}${metadata === "" ? "" : `+${metadata}`}`;
}

/** Negative, 0 or positive. Ignores metadata. */
export function compareSemver(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** A release sorts after its prereleases. */
function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return 1;
  if (b === "") return -1;
  return compareIdentifiers(a, b);
}

/** Compares dotted identifiers part by part. A missing part sorts first. */
export function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [a.split("."), b.split(".")];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareParts(left[at] ?? "", right[at] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return -1;
  if (b === "") return 1;
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left === undefined && right === undefined) return a > b ? 1 : -1;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return left > right ? 1 : -1;
}

function numberIn(part: string): bigint | undefined {
  if (!/^[0-9]+$/.test(part)) return undefined;
  const value = BigInt(part);
  return value > largestSegment ? undefined : value;
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function looseSegment(text: string): bigint {
  try {
    return segment(text);
  } catch (error) {
    throw new Error(`error parsing version segment: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function segment(text: string): bigint {
  if (text === "") throw new Error('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(text);
  if (value > largestSegment) throw new Error(`strconv.ParseUint: parsing "${text}": value out of range`);
  return value;
}

function checkStrictSegment(text: string): void {
  if (!/^[0-9]*$/.test(text)) throw new Error("invalid characters in version");
  if (text.length > 1 && text.startsWith("0")) throw new Error("version segment starts with 0");
}

function checkPrerelease(text: string): void {
  checkIdentifiers(text, "invalid prerelease string");
  if (text.split(".").some((part) => /^0[0-9]+$/.test(part))) throw new Error("version segment starts with 0");
}

function checkIdentifiers(text: string, complaint: string): void {
  if (!text.split(".").every((part) => /^[0-9A-Za-z-]+$/.test(part))) throw new Error(complaint);
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
