import type { KubeObject } from "../../../core/object/index.ts";

/** The class of claims that name none. */
export const defaultStorageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "sim.sluice.dev/volume",
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
};
