import { fieldsAt, isFields, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset, withoutFields } from "../field-edits.ts";
import { podTemplateDefaults } from "./pod.ts";
import { claimSpecDefaults, persistentVolumeSourceDefaults } from "./volume.ts";

// Models pkg/apis/core/v1/defaults.go and, where noted, conversion.go

/** stringData moves into data. Models conversion.go Convert_v1_Secret_To_core_Secret */
export function secretDefaults(secret: KubeObject): KubeObject {
  const typed = filled(secret, { type: "Opaque" });
  const texts = Object.entries(mapAt(typed, "stringData"));
  if (texts.length === 0) return withoutFields(typed, "stringData");
  const data = Object.fromEntries(texts.map(([key, text]) => [key, Buffer.from(text, "utf8").toString("base64")]));
  return { ...withoutFields(typed, "stringData"), data: { ...fieldsAt(typed, "data"), ...data } };
}

export function endpointsDefaults(endpoints: KubeObject): KubeObject {
  return changedItems(endpoints, "subsets", (subset) => changedItems(subset, "ports", (port) => filled(port, { protocol: "TCP" })));
}

const nameLabel = "kubernetes.io/metadata.name";

export function namespaceDefaults(namespace: KubeObject): KubeObject {
  const phased = changed(filled(namespace, { status: {} }), "status", (status) => filled(status, { phase: "Active" }));
  const { name } = namespace.metadata;
  const labels = mapAt(namespace, "metadata.labels");
  if (name === undefined || name === "" || labels[nameLabel] === name) return phased;
  return { ...phased, metadata: { ...phased.metadata, labels: { ...labels, [nameLabel]: name } } };
}

export function nodeDefaults(node: KubeObject): KubeObject {
  const allocatable = changed(node, "status", (status) => filled(status, { allocatable: status["capacity"] }));
  return changed(allocatable, "spec", (spec) => {
    const cidrs = spec["podCIDRs"];
    const first: unknown = Array.isArray(cidrs) ? cidrs[0] : undefined;
    const one = stringAt(spec, "podCIDR");
    if (one === undefined) return filled(spec, { podCIDR: first });
    return first === one ? spec : { ...spec, podCIDRs: [one] };
  });
}

export function persistentVolumeClaimDefaults(claim: KubeObject): KubeObject {
  const pending = changed(filled(claim, { status: {} }), "status", (status) => filled(status, { phase: "Pending" }));
  return changed(pending, "spec", claimSpecDefaults);
}

export function persistentVolumeDefaults(volume: KubeObject): KubeObject {
  const pending = changed(filled(volume, { status: {} }), "status", (status) => filled(status, { phase: "Pending" }));
  return changed(pending, "spec", (spec) =>
    persistentVolumeSourceDefaults(filled(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" })),
  );
}

function limitRangeItem(item: Fields): Fields {
  if (item["type"] !== "Container") return item;
  const limits = filled(fieldsAt(item, "default"), fieldsAt(item, "max"));
  const requests = filled(filled(fieldsAt(item, "defaultRequest"), limits), fieldsAt(item, "min"));
  const lists = Object.entries({ default: limits, defaultRequest: requests });
  const known = lists.filter(([name, list]) => Object.keys(list).length > 0 && list !== item[name]);
  return known.length === 0 ? item : { ...item, ...Object.fromEntries(known) };
}

export function limitRangeDefaults(range: KubeObject): KubeObject {
  return changed(range, "spec", (spec) => changedItems(spec, "limits", limitRangeItem));
}

export function podTemplateObjectDefaults(object: KubeObject): KubeObject {
  return changed(object, "template", podTemplateDefaults);
}

/** Models apiextensions pkg/apis/apiextensions/v1/defaults.go */
export function crdDefaults(crd: KubeObject): KubeObject {
  const named = changed(crd, "spec", (spec) =>
    changed(filled(changed(spec, "names", crdNames), { conversion: { strategy: "None" } }), "conversion", (conversion) =>
      changed(conversion, "webhook", (webhook) => changed(webhook, "clientConfig", withServicePort)),
    ),
  );
  return changed(named, "status", (status) => {
    const stored = status["storedVersions"];
    if (Array.isArray(stored) && stored.length > 0) return status;
    const version = storageVersionOf(named);
    return version === undefined ? status : { ...status, storedVersions: [version] };
  });
}

function crdNames(names: Fields): Fields {
  const kind = stringAt(names, "kind", "");
  return filled(names, { singular: kind.toLowerCase(), listKind: kind === "" ? undefined : `${kind}List` });
}

function storageVersionOf(crd: KubeObject): string | undefined {
  const versions = fieldsAt(crd, "spec")["versions"];
  const stored: unknown = Array.isArray(versions)
    ? versions.find((version) => isFields(version) && version["storage"] === true)
    : undefined;
  return stringAt(stored, "name");
}

/** A client configuration with a Service and no port uses port 443. */
export function withServicePort(config: Fields): Fields {
  return changed(config, "service", (service) => filled(service, { port: 443 }));
}

export function apiServiceDefaults(service: KubeObject): KubeObject {
  return changed(service, "spec", (spec) => (isUnset(spec["service"]) ? spec : withServicePort(spec)));
}
