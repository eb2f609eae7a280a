import { fieldsAt, listAt, numberAt, stringAt, stringsAt, valueAt, type Fields } from "../../../../core/object/index.ts";
import {
  containersOf,
  containersText,
  hasUserNamespace,
  nameOf,
  plural,
  quoted,
  securityOf,
  settersText,
  sortedSet,
  type PodCheck,
  type Violation,
} from "./violation.ts";

// Models pod-security-admission policy/check_*.go of level baseline

const defaultCapabilities = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** The containers for which `found` finds something, and everything that it finds. */
function findings(containers: readonly Fields[], found: (container: Fields) => readonly string[]): { names: string[]; values: string[] } {
  const [names, values]: [string[], string[]] = [[], []];
  for (const container of containers) {
    const bad = found(container);
    if (bad.length > 0) names.push(nameOf(container));
    values.push(...bad);
  }
  return { names, values };
}

function extraCapabilities(container: Fields): readonly string[] {
  return stringsAt(securityOf(container), "capabilities.add").filter((name) => !defaultCapabilities.has(name));
}

export const checkCapabilities: PodCheck = (pod) => {
  const { names, values } = findings(containersOf(pod), extraCapabilities);
  if (names.length === 0) return undefined;
  const detail = `${containersText(names)} must not include ${quoted(sortedSet(values))} in securityContext.capabilities.add`;
  return { reason: "non-default capabilities", detail };
};

export const checkHostNamespaces: PodCheck = ({ spec }) => {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => spec[name] === true);
  return shared.length === 0 ? undefined : { reason: "host namespaces", detail: shared.map((name) => `${name}=true`).join(", ") };
};

export const checkHostPathVolumes: PodCheck = ({ spec }) => {
  const names = listAt(spec, "volumes")
    .filter((volume) => (volume["hostPath"] ?? null) !== null)
    .map(nameOf);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", "volumes", names.length)} ${quoted(names)}` };
};

function hostPortsOf(container: Fields): readonly string[] {
  const ports = listAt(container, "ports").map((port) => numberAt(port, "hostPort", 0));
  return ports.filter((port) => port !== 0).map(String);
}

export const checkHostPorts: PodCheck = (pod) => {
  const { names, values } = findings(containersOf(pod), hostPortsOf);
  if (names.length === 0) return undefined;
  const used = sortedSet(values);
  const verb = plural("uses", "use", names.length);
  const detail = `${containersText(names)} ${verb} ${plural("hostPort", "hostPorts", used.length)} ${used.join(", ")}`;
  return { reason: "hostPort", detail };
};

const handlers = ["livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop"];
const hostPaths = handlers.flatMap((handler) => [`${handler}.httpGet.host`, `${handler}.tcpSocket.host`]);

function hostsOf(container: Fields): readonly string[] {
  return hostPaths.map((path) => stringAt(container, path, "")).filter((host) => host !== "");
}

export const checkHostProbes: PodCheck = (pod) => {
  const { names, values } = findings(containersOf(pod), hostsOf);
  if (names.length === 0) return undefined;
  const [bad, used] = [sortedSet(names), sortedSet(values)];
  const what = plural("probe or lifecycle host", "probe or lifecycle hosts", used.length);
  return {
    reason: "probe or lifecycle host",
    detail: `${containersText(bad)} ${plural("uses", "use", bad.length)} ${what} ${quoted(used)}`,
  };
};

export const checkPrivileged: PodCheck = (pod) => {
  const names = containersOf(pod)
    .filter((container) => securityOf(container)["privileged"] === true)
    .map(nameOf);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(names)} must not set securityContext.privileged=true` };
};

export const checkProcMount: PodCheck = (pod) => {
  const { names, values } = findings(containersOf(pod), (container) => {
    const type = stringAt(securityOf(container), "procMount");
    return type === undefined || type === "Default" ? [] : [type];
  });
  if (names.length === 0) return undefined;
  return { reason: "procMount", detail: `${containersText(names)} must not set securityContext.procMount to ${quoted(sortedSet(values))}` };
};

export const checkProcMountOfHostUsers: PodCheck = (pod) => (hasUserNamespace(pod) ? undefined : checkProcMount(pod));

const seLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinuxOf(fields: Fields): Fields {
  return fieldsAt(securityOf(fields), "seLinuxOptions");
}

function setsSeLinux(part: string): (fields: Fields) => boolean {
  return (fields) => stringAt(seLinuxOf(fields), part, "") !== "";
}

function seLinuxCheck(allowed: readonly string[]): PodCheck {
  const badType = (fields: Fields) => [stringAt(seLinuxOf(fields), "type", "")].filter((type) => !allowed.includes(type));
  const isBad = (fields: Fields) => badType(fields).length > 0 || setsSeLinux("user")(fields) || setsSeLinux("role")(fields);
  return (pod) => {
    const containers = containersOf(pod);
    const names = containers.filter(isBad).map(nameOf);
    if (names.length === 0 && !isBad(pod.spec)) return undefined;
    const all = [pod.spec, ...containers];
    const types = sortedSet(all.flatMap(badType));
    const data = [
      ...(types.length === 0 ? [] : [`${plural("type", "types", types.length)} ${quoted(types)}`]),
      ...["user", "role"].filter((part) => all.some(setsSeLinux(part))).map((part) => `${part} may not be set`),
    ];
    const setters = settersText(isBad(pod.spec), names);
    return { reason: "seLinuxOptions", detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}` };
  };
}

export const checkSeLinux: PodCheck = seLinuxCheck(seLinuxTypes);
export const checkSeLinux31: PodCheck = seLinuxCheck([...seLinuxTypes, "container_engine_t"]);

const allowedSysctls = [
  { since: 0, names: ["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies"] },
  { since: 0, names: ["net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start"] },
  { since: 27, names: ["net.ipv4.ip_local_reserved_ports"] },
  { since: 29, names: ["time", "intvl", "probes"].map((part) => `net.ipv4.tcp_keepalive_${part}`) },
  { since: 29, names: ["net.ipv4.tcp_fin_timeout"] },
  { since: 32, names: ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"] },
];

/** The check of a minor version: later ones know more harmless sysctls. */
export function sysctlCheck(minor: number): PodCheck {
  const allowed = new Set(allowedSysctls.filter(({ since }) => since <= minor).flatMap(({ names }) => names));
  return ({ spec }) => {
    const names = listAt(securityOf(spec), "sysctls").map(nameOf);
    const forbidden = names.filter((name) => !allowed.has(name));
    return forbidden.length === 0 ? undefined : { reason: "forbidden sysctls", detail: forbidden.join(", ") };
  };
}

function isHostProcess(fields: Fields): boolean {
  return valueAt(securityOf(fields), "windowsOptions.hostProcess") === true;
}

export const checkWindowsHostProcess: PodCheck = (pod) => {
  const setters = settersText(isHostProcess(pod.spec), containersOf(pod).filter(isHostProcess).map(nameOf));
  if (setters === "") return undefined;
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

/** The type of a profile that is not allowed. */
function badAppArmor(fields: Fields): readonly string[] {
  const profile = valueAt(securityOf(fields), "appArmorProfile");
  const type = stringAt(profile, "type", "");
  return (profile ?? null) === null || type === "RuntimeDefault" || type === "Localhost" ? [] : [type];
}

export const checkAppArmor: PodCheck = (pod): Violation | undefined => {
  const { names, values } = findings(containersOf(pod), badAppArmor);
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !/^$|^runtime\/default$|^localhost\//.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const ofPod = badAppArmor(pod.spec);
  const bad = [...sortedSet([...ofPod, ...values]), ...annotations];
  if (bad.length === 0) return undefined;
  const setters = [
    settersText(ofPod.length > 0, names),
    annotations.length === 0 ? "" : plural("annotation", "annotations", annotations.length),
  ];
  return {
    reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", bad.length),
    detail: `${setters.filter((text) => text !== "").join(" and ")} must not set AppArmor profile type to ${quoted(bad)}`,
  };
};
