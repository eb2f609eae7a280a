import type { KubeObject } from "../../../core/object/index.ts";

/** The default StorageClass. */
export const defaultStorageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "sim.sluice.dev/volume",
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
};
