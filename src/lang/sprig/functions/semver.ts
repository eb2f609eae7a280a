import { LruCache } from "../../../core/cache/index.ts";
import {
  GoStruct,
  ReflectType,
  Integer,
  Pointer,
  goFunction,
  goMethod,
  reflectType,
  int,
  structType,
  toBytes,
  types,
  type FunctionTable,
  type GoFunction,
  type GoValue,
} from "../../template/index.ts";
import { compareSemver, parseConstraint, parseVersion, satisfies, versionText, type Version } from "../../semver/index.ts";
import { asGoError, panic, nilPointer } from "../panic.ts";

const uint64 = reflectType("uint64");
const fields = { major: uint64, minor: uint64, patch: uint64, pre: types.string, metadata: types.string, original: types.string };
const shape = structType(fields);

// The methods refer to the type itself, so they are added after it.
const methods = new Map<string, GoFunction>();
const pointerMethods = new Map<string, GoFunction>();

/** A version, which templates read through its methods. */
const versionType = new ReflectType("semver.Version", "struct", shape, { underlying: shape, methods, pointerMethods });
const scope = { "semver.Version": versionType };

function structOf(version: Version): GoStruct {
  const { major, minor, patch, prerelease, metadata, original } = version;
  const numbers = { major: new Integer(uint64, major), minor: new Integer(uint64, minor), patch: new Integer(uint64, patch) };
  return new GoStruct(versionType, { ...numbers, pre: prerelease, metadata, original }, { own: version, addressable: true });
}

function versionIn(value: GoValue): Version {
  const struct = value instanceof Pointer ? value.target : value;
  return struct instanceof GoStruct && isVersion(struct.own) ? struct.own : panic(nilPointer);
}

function isVersion(own: unknown): own is Version {
  return typeof own === "object" && own !== null && "prerelease" in own;
}

function method(name: string, result: string, call: (version: Version) => GoValue): void {
  methods.set(
    name,
    goMethod(`func() ${result}`, (receiver: GoValue) => call(versionIn(receiver)), scope),
  );
}

function comparison(name: string, result: string, answer: (order: number) => GoValue): void {
  pointerMethods.set(
    name,
    goMethod(
      `func(*semver.Version) ${result}`,
      (one: GoValue, other: GoValue) => answer(compareSemver(versionIn(one), versionIn(other))),
      scope,
    ),
  );
}

method("String", "string", versionText);
method("Major", "uint64", ({ major }) => new Integer(uint64, major));
method("Minor", "uint64", ({ minor }) => new Integer(uint64, minor));
method("Patch", "uint64", ({ patch }) => new Integer(uint64, patch));
method("Prerelease", "string", ({ prerelease }) => prerelease);
method("Metadata", "string", ({ metadata }) => metadata);
method("MarshalJSON", "([]uint8, error)", (version) => toBytes(`"${versionText(version)}"`));
method("MarshalText", "([]uint8, error)", (version) => toBytes(versionText(version)));
method("IncMajor", "semver.Version", (version) => next(version, { major: version.major + 1n, minor: 0n, patch: 0n }));
method("IncMinor", "semver.Version", (version) => next(version, { minor: version.minor + 1n, patch: 0n }));
method("IncPatch", "semver.Version", (version) => next(version, version.prerelease === "" ? { patch: version.patch + 1n } : {}));
pointerMethods.set(
  "Original",
  goMethod("func() string", (receiver: GoValue) => versionIn(receiver).original),
);
comparison("LessThan", "bool", (order) => order < 0);
comparison("LessThanEqual", "bool", (order) => order <= 0);
comparison("GreaterThan", "bool", (order) => order > 0);
comparison("GreaterThanEqual", "bool", (order) => order >= 0);
comparison("Equal", "bool", (order) => order === 0);
comparison("Compare", "int", (order) => int(Math.sign(order)));

function next(version: Version, change: Partial<Version>): GoStruct {
  const changed = { ...version, prerelease: "", metadata: "", ...change };
  return structOf({ ...changed, original: (version.original.startsWith("v") ? "v" : "") + versionText(changed) });
}

/** Charts compare the same versions again and again. */
function memoized<T>(read: (text: string) => T): (text: string) => T {
  const known = new LruCache<string, T>({ maxWeight: 2 ** 20, weightOf: (text) => 500 + 8 * text.length });
  return (text) => known.getOrCreate(text, read);
}

const constraintOf = memoized(parseConstraint);
const versionOf = memoized(parseVersion);

/** Versions. */
export const semverFunctions: FunctionTable = {
  semver: goFunction(
    "func(string) (*semver.Version, error)",
    (text: string) => new Pointer(versionType.pointerTo, structOf(asGoError(() => parseVersion(text)))),
    scope,
  ),
  semverCompare: goFunction("func(string, string) (bool, error)", (constraint: string, version: string) =>
    asGoError(() => {
      const demanded = constraintOf(constraint);
      return satisfies(versionOf(version), demanded);
    }),
  ),
};
