import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, mapAt } from "../../../core/object/index.ts";
import { AdmissionFixture, admissionResult, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

function clusterWith(...limits: object[]): AdmissionFixture {
  return new AdmissionFixture({ limitranges: [{ spec: { limits } }] });
}

function pod(resources: object, ...more: object[]): PartialObject {
  return { spec: { containers: [{ name: "c", resources }, ...more] } };
}

test("containers get missing requests and limits, and the pod an annotation", () => {
  const cluster = clusterWith({
    type: "Container",
    default: { cpu: "75m", memory: "10Mi" },
    defaultRequest: { cpu: "50m", memory: "5Mi" },
  });
  const made = cluster.create("pods", {
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "1m" } } }], initContainers: [{ name: "i" }] },
  });
  assert.deepEqual(listAt(made, "spec.containers")[0]?.["resources"], {
    requests: { cpu: "1m", memory: "5Mi" },
    limits: { cpu: "75m", memory: "10Mi" },
  });
  assert.equal(
    mapAt(made, "metadata.annotations")["kubernetes.io/limit-ranger"],
    "LimitRanger plugin set: memory request for container c; cpu, memory limit for container c; cpu, memory request for init container i; cpu, memory limit for init container i",
  );
});

test("a pod that lacks nothing is left alone", () => {
  const cluster = clusterWith({ type: "Container", default: { cpu: "75m" } });
  assert.equal(
    mapAt(cluster.create("pods", pod({ limits: { cpu: "1" } })), "metadata.annotations")["kubernetes.io/limit-ranger"],
    undefined,
  );
});

const small = { requests: { cpu: "40m" }, limits: { cpu: "200m" } };
const cases: Record<string, [limit: object, pod: PartialObject, expected: string]> = {
  "within the range": [{ type: "Container", min: { cpu: "40m" }, max: { cpu: "200m" } }, pod(small), "let in"],
  "below the minimum": [
    { type: "Container", min: { cpu: "50m" } },
    pod(small),
    "minimum cpu usage per Container is 50m, but request is 40m",
  ],
  "no request": [
    { type: "Container", min: { memory: "1Mi" } },
    pod(small),
    "minimum memory usage per Container is 1Mi.  No request is specified",
  ],
  "a limit below the minimum": [
    { type: "Container", min: { cpu: "30m" } },
    pod({ requests: { cpu: "30m" }, limits: { cpu: "20m" } }),
    "minimum cpu usage per Container is 30m, but limit is 20m",
  ],
  "above the maximum": [
    { type: "Container", max: { cpu: "100m" } },
    pod(small),
    "maximum cpu usage per Container is 100m, but limit is 200m",
  ],
  "no limit": [
    { type: "Container", max: { memory: "1Gi" } },
    pod(small),
    "maximum memory usage per Container is 1Gi.  No limit is specified",
  ],
  "too much between request and limit": [
    { type: "Container", maxLimitRequestRatio: { cpu: "3" } },
    pod(small),
    "cpu max limit to request ratio per Container is 3, but provided ratio is 5.000000",
  ],
  "a ratio without a request": [
    { type: "Container", maxLimitRequestRatio: { cpu: "3" } },
    pod({ limits: { cpu: "1" } }),
    "cpu max limit to request ratio per Container is 3, but no request is specified or request is 0",
  ],
  "the pod as a whole": [
    { type: "Pod", max: { cpu: "300m" } },
    pod(small, { name: "d", resources: small }),
    "maximum cpu usage per Pod is 300m, but limit is 400m",
  ],
  "two complaints": [
    { type: "Container", min: { cpu: "50m" }, max: { cpu: "100m" } },
    pod(small),
    "[minimum cpu usage per Container is 50m, but request is 40m, maximum cpu usage per Container is 100m, but limit is 200m]",
  ],
};

for (const [name, [limit, object, expected]] of Object.entries(cases)) {
  test(name, () => {
    const result = admissionResult(() => clusterWith(limit).create("pods", object));
    assert.equal(result.replace('403 pods "a" is forbidden: ', ""), expected);
  });
}

const claim = (storage: string, metadata = {}): PartialObject => ({
  metadata,
  spec: { storageClassName: "", resources: { requests: { storage } } },
});
const sizes = { type: "PersistentVolumeClaim", min: { storage: "2Gi" }, max: { storage: "5Gi" } };

function claimResult(storage: string): string {
  return admissionResult(() => clusterWith(sizes).create("persistentvolumeclaims", claim(storage)));
}

test("claims are held to their size", () => {
  const title = '403 persistentvolumeclaims "a" is forbidden:';
  assert.equal(claimResult("3Gi"), "let in");
  assert.equal(claimResult("1Gi"), `${title} minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi`);
  assert.equal(claimResult("6Gi"), `${title} maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi`);
});

test("a claim that is going is not held to it any more", () => {
  const going = claim("1Gi", { deletionTimestamp: "2030-01-01T00:00:00Z" });
  assert.equal(
    admissionResult(() => clusterWith(sizes).update("persistentvolumeclaims", going, going)),
    "let in",
  );
});
