import { Fault } from "../core/fault/index.ts";
import {
  compareSemver,
  parseConstraint,
  parseStrictVersion,
  satisfies,
  versionText,
  type Constraint,
  type Version,
} from "../lang/semver/index.ts";
import { versionOf, type IndexFile, type ChartVersion } from "./index-file.ts";

/** The constraint of `--devel`: any version, including pre-releases. */
export const develVersions = ">0.0.0-0";

/**
 * Chooses the version of a chart: the exact one, otherwise the highest that satisfies the constraint. Warns when an
 * exact version does not exist. Models helm pkg/repo/v1 IndexFile.Get
 */
export function chooseVersion(index: IndexFile, name: string, version: string, warn: (line: string) => void): ChartVersion {
  const versions = index.get(name);
  if (versions === undefined) throw refusal("no chart name found");
  if (versions.length === 0) throw refusal("no chart version found");
  const constraint = constraintOf(version);
  const exact = versions.find((chart) => version !== "" && chart.version === version);
  if (exact !== undefined) return exact;
  const chosen = versions.find((chart) => satisfiesConstraint(chart.version, constraint));
  if (chosen === undefined) throw refusal(`no chart version found for ${name}-${version}`);
  if (version !== "" && !isRange(version))
    warn(`there is no version ${version} of chart ${name} to the letter: ${chosen.version} is taken, which comes closest`);
  return chosen;
}

/** Chooses a tag from versions, the highest first. Models helm pkg/registry/tag.go */
export function chooseTag(tags: readonly string[], version: string): string {
  if (version !== "" && tags.includes(version)) return version;
  const constraint = constraintOf(version);
  const chosen = tags.find((tag) => satisfiesConstraint(tag, constraint));
  if (chosen === undefined) throw refusal(`could not locate a version matching provided version string ${version}`);
  return chosen;
}

/** The tags of a registry that are versions, the highest first. A tag cannot contain a plus sign and has an underscore instead. */
export function versionsOfTags(tags: readonly string[]): readonly string[] {
  const versions = tags.flatMap((tag) => strictVersionOf(tag.replaceAll("_", "+")) ?? []);
  return versions.toSorted((one, other) => compareSemver(other, one)).map(versionText);
}

export function constraintOf(version: string): Constraint {
  try {
    return parseConstraint(version === "" ? "*" : version);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

export function satisfiesConstraint(version: string, constraint: Constraint): boolean {
  const read = versionOf(version);
  return read !== undefined && satisfies(read, constraint);
}

/** Models helm pkg/repo/v1 isVersionRange */
function isRange(version: string): boolean {
  if (/[\^~<>=!*]|\|\|| - /.test(version)) return true;
  return /[xX]/.test(version.split(/[-+]/, 1)[0] ?? "");
}

function strictVersionOf(text: string): Version | undefined {
  try {
    return parseStrictVersion(text);
  } catch {
    return undefined;
  }
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
