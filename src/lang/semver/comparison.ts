import { compareIdentifiers, compareSemver, type Version } from "./version.ts";

export type Operator = "" | "=" | "!=" | ">" | "<" | ">=" | "=>" | "<=" | "=<" | "~" | "~>" | "^";

export type Bound = {
  readonly operator: Operator;
  /** Missing parts count as 0. */
  readonly version: Version;
  /** The first part that is missing or a wildcard; all parts after it are open as well. */
  readonly open: "major" | "minor" | "patch" | "nothing";
};

type Comparison = (version: Version, bound: Bound) => boolean;

// Models github.com/Masterminds/semver/v3. Prereleases are filtered before these run.
export const comparisons: Readonly<Record<Operator, Comparison>> = {
  "": isSame,
  "=": isSame,
  "!=": isOther,
  ">": isAbove,
  "<": (version, bound) => compareSemver(version, bound.version) < 0,
  ">=": isNotBelow,
  "=>": isNotBelow,
  "<=": isNotAbove,
  "=<": isNotAbove,
  "~": isClose,
  "~>": isClose,
  "^": isCompatible,
};

function isSame(version: Version, bound: Bound): boolean {
  return bound.open === "nothing" ? compareSemver(version, bound.version) === 0 : isClose(version, bound);
}

function isOther(version: Version, { version: named, open }: Bound): boolean {
  if (open === "nothing") return compareSemver(version, named) !== 0;
  if (version.major !== named.major) return true;
  if (open === "minor") return false;
  if (version.minor !== named.minor) return true;
  if (open === "patch") return compareIdentifiers(version.prerelease, named.prerelease) !== 0;
  return version.patch !== named.patch || compareSemver(version, named) !== 0;
}

function isAbove(version: Version, { version: named, open }: Bound): boolean {
  if (open === "nothing") return compareSemver(version, named) > 0;
  if (version.major !== named.major) return version.major > named.major;
  if (open === "minor") return false;
  if (open === "patch") return version.minor > named.minor;
  return compareSemver(version, named) > 0;
}

function isNotBelow(version: Version, bound: Bound): boolean {
  return compareSemver(version, bound.version) >= 0;
}

function isNotAbove(version: Version, { version: named, open }: Bound): boolean {
  if (open === "nothing") return compareSemver(version, named) <= 0;
  if (version.major !== named.major) return version.major < named.major;
  return version.minor <= named.minor || open === "minor";
}

/** Tilde range: equal in the parts that the bound gives, and not below it. */
function isClose(version: Version, { version: named, open }: Bound): boolean {
  if (compareSemver(version, named) < 0) return false;
  const isZero = named.major === 0n && named.minor === 0n && named.patch === 0n;
  if (isZero && open !== "minor" && open !== "patch") return true;
  return version.major === named.major && (version.minor === named.minor || open === "minor");
}

/** Caret range: the first non-zero part is fixed. */
function isCompatible(version: Version, { version: named, open }: Bound): boolean {
  if (compareSemver(version, named) < 0) return false;
  if (version.major !== named.major) return false;
  if (named.major > 0n || open === "minor") return true;
  if (version.minor !== named.minor) return false;
  return named.minor > 0n || open === "patch" || version.patch === named.patch;
}
