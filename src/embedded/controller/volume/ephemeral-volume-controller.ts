import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { asPod } from "../../behaviour/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";

const writer = "kube-controller-manager";

/** Creates the claims of ephemeral volumes; they are garbage-collected with their pods. Models pkg/controller/volume/ephemeral */
export const ephemeralVolumeController: ControllerConstructor = (context) => ({
  name: "ephemeral-volume",
  watches: { pods: (change) => (change.type === "ADDED" && claimsIn(change.object).length > 0 ? enqueueObject(change) : []) },
  reconcile: (key) => createClaims(context, key),
});

/** The ephemeral volumes of a pod. */
function claimsIn(pod: KubeObject) {
  return listAt(asPod(pod).spec, "volumes").filter((volume) => volume["ephemeral"] !== undefined);
}

function createClaims({ api, record }: EmbeddedControllerContext, key: string): undefined {
  const { namespace, name } = splitKey(key);
  const pod = api.read("pods", namespace, name);
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
  const { uid = "" } = pod.metadata;
  for (const volume of claimsIn(pod)) {
    const claimName = `${name}-${stringAt(volume, "name", "")}`;
    const live = api.read("persistentvolumeclaims", namespace, claimName);
    if (live !== undefined && live.metadata.ownerReferences?.some((owner) => owner.uid === uid) !== true) {
      const message = `ephemeral volume ${stringAt(volume, "name", "")}: PVC ${namespace}/${claimName} was not created for pod ${key} (pod is not owner)`;
      record(pod, { type: "Warning", reason: "FailedBinding", message, source: "ephemeral_volume" });
    }
    if (live !== undefined) continue;
    const template = fieldsAt(volume, "ephemeral.volumeClaimTemplate");
    const owner = { apiVersion: "v1", kind: "Pod", name, uid, controller: true, blockOwnerDeletion: true };
    const metadata = { ...fieldsAt(template, "metadata"), name: claimName, namespace, ownerReferences: [owner] };
    api.create(
      "persistentvolumeclaims",
      { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: fieldsAt(template, "spec") },
      writer,
    );
  }
}
