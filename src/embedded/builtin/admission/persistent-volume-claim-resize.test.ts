import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionFixture, admissionResult, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

function claim(storage: string, storageClassName = "grows", phase = "Bound"): PartialObject {
  return { spec: { storageClassName, resources: { requests: { storage } } }, status: { phase } };
}

const fixed = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
const resizes: Record<string, [before: PartialObject, after: PartialObject, expected: string]> = {
  "in a class that can": [claim("1Gi"), claim("2Gi"), "let in"],
  "in a class that cannot": [claim("1Gi", "fixed"), claim("2Gi", "fixed"), fixed],
  "in no class": [claim("1Gi", ""), claim("2Gi", ""), fixed],
  "before it is bound": [claim("1Gi", "grows", "Pending"), claim("2Gi"), "Only bound persistent volume claims can be expanded"],
  "by nothing": [claim("1Gi", "fixed", "Pending"), claim("1024Mi", "fixed", "Pending"), "let in"],
};

for (const [name, [before, after, expected]] of Object.entries(resizes)) {
  test(`a claim that grows ${name}`, () => {
    const known = [
      { metadata: { name: "grows", namespace: "" }, allowVolumeExpansion: true },
      { metadata: { name: "fixed", namespace: "" } },
    ];
    const cluster = new AdmissionFixture({ "storageclasses.storage.k8s.io": known });
    const result = admissionResult(() => cluster.update("persistentvolumeclaims", before, after));
    assert.equal(result.replace('403 persistentvolumeclaims "a" is forbidden: ', ""), expected);
  });
}
