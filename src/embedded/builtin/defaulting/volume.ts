import { stringAt, type Fields } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset } from "../field-edits.ts";
import { pullPolicyOf, withFieldRef } from "./container.ts";

const mode = (source: Fields): Fields => filled(source, { defaultMode: 0o644 });

function downwardApi(source: Fields): Fields {
  return changedItems(source, "items", withFieldRef);
}

function projection(source: Fields): Fields {
  const token = changed(source, "serviceAccountToken", (fields) => filled(fields, { expirationSeconds: 3600 }));
  return changed(token, "downwardAPI", downwardApi);
}

/** The defaults of volume sources in Pods and in PersistentVolumes. */
const shared: Readonly<Record<string, (source: Fields) => Fields>> = {
  hostPath: (source) => filled(source, { type: "" }),
  iscsi: (source) => filled(source, { iscsiInterface: "default" }),
  rbd: (source) => filled(source, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  azureDisk: (source) => filled(source, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  scaleIO: (source) => filled(source, { storageMode: "ThinProvisioned", fsType: "xfs" }),
};

const inPods: Readonly<Record<string, (source: Fields) => Fields>> = {
  ...shared,
  secret: mode,
  configMap: mode,
  downwardAPI: (source) => downwardApi(mode(source)),
  projected: (source) => changedItems(mode(source), "sources", projection),
  ephemeral: (source) => changed(source, "volumeClaimTemplate", (template) => changed(template, "spec", claimSpecDefaults)),
  image: (source) => filled(source, { pullPolicy: pullPolicyOf(stringAt(source, "reference", "")) }),
};

export function claimSpecDefaults(spec: Fields): Fields {
  return filled(spec, { volumeMode: "Filesystem" });
}

function sources(fields: Fields, rules: Readonly<Record<string, (source: Fields) => Fields>>): Fields {
  return Object.entries(rules).reduce((result, [name, rule]) => changed(result, name, rule), fields);
}

/** Models pkg/apis/core/v1/defaults.go SetDefaults_Volume: a volume without a source is an empty directory. */
export function volumeDefaults(volume: Fields): Fields {
  const bare = Object.entries(volume).every(([name, value]) => name === "name" || isUnset(value));
  return bare ? { ...volume, emptyDir: {} } : sources(volume, inPods);
}

export function persistentVolumeSourceDefaults(spec: Fields): Fields {
  return sources(spec, shared);
}
