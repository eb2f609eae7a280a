import { listAt, numberAt, stringsAt, type Fields } from "../../../../core/object/index.ts";
import {
  containersOf,
  containersText,
  hasUserNamespace,
  isWindows,
  nameOf,
  plural,
  quoted,
  securityOf,
  settersText,
  sortedSet,
  type PodCheck,
} from "./violation.ts";

// Models pod-security-admission policy/check_*.go of level restricted

/** Since 1.25 a Pod of Windows need not set what Windows does not know. */
function exceptWindows(check: PodCheck): PodCheck {
  return (pod) => (isWindows(pod) ? undefined : check(pod));
}

/** Since 1.35 a Pod in a user namespace may be root there. */
function exceptUserNamespaces(check: PodCheck): PodCheck {
  return (pod) => (hasUserNamespace(pod) ? undefined : check(pod));
}

export const checkPrivilegeEscalation: PodCheck = (pod) => {
  const names = containersOf(pod)
    .filter((container) => securityOf(container)["allowPrivilegeEscalation"] !== false)
    .map(nameOf);
  if (names.length === 0) return undefined;
  const detail = `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: "allowPrivilegeEscalation != false", detail };
};

export const checkPrivilegeEscalation25 = exceptWindows(checkPrivilegeEscalation);

function capabilitiesIn(container: Fields, list: "add" | "drop"): readonly string[] {
  return stringsAt(securityOf(container), `capabilities.${list}`);
}

function forbiddenCapabilities(container: Fields): readonly string[] {
  return capabilitiesIn(container, "add").filter((name) => name !== "NET_BIND_SERVICE");
}

export const checkRestrictedCapabilities: PodCheck = (pod) => {
  const containers = containersOf(pod);
  const keeping = containers.filter((container) => !capabilitiesIn(container, "drop").includes("ALL")).map(nameOf);
  const adding = containers.filter((container) => forbiddenCapabilities(container).length > 0).map(nameOf);
  const added = quoted(sortedSet(containers.flatMap(forbiddenCapabilities)));
  const details = [
    ...(keeping.length === 0 ? [] : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0 ? [] : [`${containersText(adding)} must not include ${added} in securityContext.capabilities.add`]),
  ];
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

export const checkRestrictedCapabilities25 = exceptWindows(checkRestrictedCapabilities);

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];
const restrictedVolumes = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

function hasType(volume: Fields): (type: string) => boolean {
  return (type) => (volume[type] ?? null) !== null;
}

export const checkRestrictedVolumes: PodCheck = ({ spec }) => {
  const bad = listAt(spec, "volumes").filter((volume) => !allowedVolumes.some(hasType(volume)));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map((volume) => restrictedVolumes.find(hasType(volume)) ?? "unknown"));
  const what = plural("restricted volume type", "restricted volume types", types.length);
  const subject = `${plural("volume", "volumes", bad.length)} ${quoted(bad.map(nameOf))} ${plural("uses", "use", bad.length)}`;
  return { reason: "restricted volume types", detail: `${subject} ${what} ${quoted(types)}` };
};

/** Whether it asks not to run as root: null when it says nothing. */
function nonRootOf(fields: Fields): unknown {
  return securityOf(fields)["runAsNonRoot"] ?? null;
}

export const checkRunAsNonRoot: PodCheck = (pod) => {
  const reason = "runAsNonRoot != true";
  const containers = containersOf(pod);
  const setters = settersText(nonRootOf(pod.spec) === false, containers.filter((each) => nonRootOf(each) === false).map(nameOf));
  if (setters !== "") return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent = nonRootOf(pod.spec) === true ? [] : containers.filter((each) => nonRootOf(each) === null).map(nameOf);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

export const checkRunAsNonRoot35 = exceptUserNamespaces(checkRunAsNonRoot);

function isRoot(fields: Fields): boolean {
  return numberAt(securityOf(fields), "runAsUser") === 0;
}

export const checkRunAsUser: PodCheck = (pod) => {
  const setters = settersText(isRoot(pod.spec), containersOf(pod).filter(isRoot).map(nameOf));
  return setters === "" ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
};

export const checkRunAsUser35 = exceptUserNamespaces(checkRunAsUser);
