import {
  checkAppArmor,
  checkCapabilities,
  checkHostNamespaces,
  checkHostPathVolumes,
  checkHostPorts,
  checkHostProbes,
  checkPrivileged,
  checkProcMount,
  checkProcMountOfHostUsers,
  checkSeLinux,
  checkSeLinux31,
  checkWindowsHostProcess,
  sysctlCheck,
} from "./baseline-checks.ts";
import type { LevelVersion } from "./policy.ts";
import {
  checkPrivilegeEscalation,
  checkPrivilegeEscalation25,
  checkRestrictedCapabilities,
  checkRestrictedCapabilities25,
  checkRestrictedVolumes,
  checkRunAsNonRoot,
  checkRunAsNonRoot35,
  checkRunAsUser,
  checkRunAsUser35,
} from "./restricted-checks.ts";
import { checkRestrictedSeccomp, checkRestrictedSeccomp25, checkSeccomp, checkSeccompAnnotations } from "./seccomp-checks.ts";
import type { PodCheck, PodTemplate, Violation } from "./violation.ts";

/** The newest minor version whose checks differ from those before. */
const newestMinor = 35;

type VersionedCheck = {
  readonly id: string;
  /** The minor versions since which a check counts. */
  readonly since: readonly (readonly [minor: number, check: PodCheck])[];
  /** The check of level baseline that it stands for. */
  readonly overrides?: string;
};

/** By id, the order in which violations are told. */
const baseline: readonly VersionedCheck[] = [
  { id: "appArmorProfile", since: [[0, checkAppArmor]] },
  { id: "capabilities_baseline", since: [[0, checkCapabilities]] },
  { id: "hostNamespaces", since: [[0, checkHostNamespaces]] },
  { id: "hostPathVolumes", since: [[0, checkHostPathVolumes]] },
  { id: "hostPorts", since: [[0, checkHostPorts]] },
  { id: "hostProbesAndHostLifecycle", since: [[34, checkHostProbes]] },
  { id: "privileged", since: [[0, checkPrivileged]] },
  {
    id: "procMount",
    since: [
      [0, checkProcMount],
      [35, checkProcMountOfHostUsers],
    ],
  },
  {
    id: "seLinuxOptions",
    since: [
      [0, checkSeLinux],
      [31, checkSeLinux31],
    ],
  },
  {
    id: "seccompProfile_baseline",
    since: [
      [0, checkSeccompAnnotations],
      [19, checkSeccomp],
    ],
  },
  { id: "sysctls", since: [0, 27, 29, 32].map((minor) => [minor, sysctlCheck(minor)] as const) },
  { id: "windowsHostProcess", since: [[0, checkWindowsHostProcess]] },
];

const restricted: readonly VersionedCheck[] = [
  {
    id: "allowPrivilegeEscalation",
    since: [
      [8, checkPrivilegeEscalation],
      [25, checkPrivilegeEscalation25],
    ],
  },
  {
    id: "capabilities_restricted",
    since: [
      [22, checkRestrictedCapabilities],
      [25, checkRestrictedCapabilities25],
    ],
    overrides: "capabilities_baseline",
  },
  { id: "procMount_restricted", since: [[35, checkProcMount]], overrides: "procMount" },
  { id: "restrictedVolumes", since: [[0, checkRestrictedVolumes]], overrides: "hostPathVolumes" },
  {
    id: "runAsNonRoot",
    since: [
      [0, checkRunAsNonRoot],
      [35, checkRunAsNonRoot35],
    ],
  },
  {
    id: "runAsUser",
    since: [
      [23, checkRunAsUser],
      [35, checkRunAsUser35],
    ],
  },
  {
    id: "seccompProfile_restricted",
    since: [
      [19, checkRestrictedSeccomp],
      [25, checkRestrictedSeccomp25],
    ],
    overrides: "seccompProfile_baseline",
  },
];

const checksByLevelVersion = new Map<string, readonly PodCheck[]>();

/** The violations of a level by a Pod, in their order. Models pod-security-admission policy/registry.go EvaluatePod */
export function evaluatePod({ level, version }: LevelVersion, pod: PodTemplate): readonly Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? newestMinor : Math.min(version, newestMinor);
  const key = `${level} ${minor}`;
  const checks = checksByLevelVersion.get(key) ?? checksOf(level, minor);
  checksByLevelVersion.set(key, checks);
  return checks.map((check) => check(pod)).filter((violation) => violation !== undefined);
}

function checksOf(level: "baseline" | "restricted", minor: number): readonly PodCheck[] {
  const stricter = level === "restricted" ? restricted.filter(({ since }) => checkAt(since, minor) !== undefined) : [];
  const overridden = new Set(stricter.map(({ overrides }) => overrides));
  const checks = [...baseline.filter(({ id }) => !overridden.has(id)), ...stricter];
  return checks.map(({ since }) => checkAt(since, minor)).filter((check) => check !== undefined);
}

function checkAt(since: VersionedCheck["since"], minor: number): PodCheck | undefined {
  return since.findLast(([least]) => least <= minor)?.[1];
}

/** `reason (detail), reason`. */
export function violationText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}
