import { fieldInvalid, type FieldError } from "../../../field-error.ts";

// Models pod-security-admission api/helpers.go

type Level = "privileged" | "baseline" | "restricted";

/** A level at the minor version of Kubernetes whose checks count. */
export type LevelVersion = { readonly level: Level; readonly version: number | "latest" };

/** What a namespace asks of its Pods. */
type PodSecurityPolicy = { readonly enforce: LevelVersion; readonly audit: LevelVersion; readonly warn: LevelVersion };

const levels: readonly Level[] = ["privileged", "baseline", "restricted"];
const unrestricted: LevelVersion = { level: "privileged", version: "latest" };
const prefix = "pod-security.kubernetes.io/";

export function levelVersionText({ level, version }: LevelVersion): string {
  return `${level}:${version === "latest" ? version : `v1.${version}`}`;
}

/** How strict a level is. */
export function strictness(level: Level): number {
  return levels.indexOf(level);
}

/**
 * The policy of a namespace with these labels, and what is wrong with them. A label that cannot be read counts as the
 * strictest to enforce, and as no wish to warn or audit.
 */
export function policyOf(labels: Readonly<Record<string, string>>): { policy: PodSecurityPolicy; errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const enforced = readLevel(labels, "enforce", "restricted", errors);
  const enforce = { level: enforced.level, version: readVersion(labels, "enforce", errors) ?? "latest" };
  const audited = readLevel(labels, "audit", "privileged", errors);
  const audit = { level: audited.level, version: readVersion(labels, "audit", errors) ?? "latest" };
  const warned = readLevel(labels, "warn", "privileged", errors);
  const warnVersion = readVersion(labels, "warn", errors);
  // What is enforced is warned of too, in workloads that would make such Pods.
  const follows = !warned.isSet && enforced.isValid && strictness(enforce.level) > strictness(warned.level);
  const warn = follows
    ? { level: enforce.level, version: warnVersion ?? enforce.version }
    : { level: warned.level, version: warnVersion ?? "latest" };
  return { policy: { enforce, audit, warn }, errors };
}

type ReadLevel = { readonly level: Level; readonly isSet: boolean; readonly isValid: boolean };

function readLevel(labels: Readonly<Record<string, string>>, mode: string, otherwise: Level, errors: FieldError[]): ReadLevel {
  const value = labels[`${prefix}${mode}`];
  if (value === undefined) return { level: unrestricted.level, isSet: false, isValid: false };
  const level = levels.find((each) => each === value);
  if (level !== undefined) return { level, isSet: true, isValid: true };
  errors.push(fieldInvalid(`metadata.labels[${prefix}${mode}]`, value, `must be one of ${levels.join(", ")}`));
  return { level: otherwise, isSet: true, isValid: false };
}

function readVersion(labels: Readonly<Record<string, string>>, mode: string, errors: FieldError[]): LevelVersion["version"] | undefined {
  const label = `${prefix}${mode}-version`;
  const value = labels[label];
  if (value === undefined || value === "latest") return value;
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(value)?.[1];
  if (minor !== undefined && BigInt(minor) < 2n ** 63n) return Number(minor);
  errors.push(fieldInvalid(`metadata.labels[${label}]`, value, 'must be "latest" or "v1.x"'));
  return "latest";
}

/** Whether every mode allows everything. */
export function isFullyPrivileged({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

export function isSameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}
