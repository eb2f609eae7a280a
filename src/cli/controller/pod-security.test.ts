import assert from "node:assert/strict";
import { test } from "node:test";
import { isFields } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { renderInstallManifests } from "./install-manifests.ts";

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : isFields(inner) ? inner[String(step)] : undefined),
    value,
  );

/** The spec of the pods that the chart makes for a part of Sluice. */
function podOf(values: Readonly<Record<string, unknown>>): unknown {
  const text = renderInstallManifests({ namespace: "projectsveltos", values, includeCrd: () => false });
  const deployment = readManifests(text, "chart").manifests.find(({ object }) => object.kind === "Deployment");
  return at(deployment?.object, "spec", "template", "spec");
}

const parts: readonly [string, Readonly<Record<string, unknown>>, string][] = [
  ["controller", {}, "1Gi"],
  ["controller with a folder of its own size", { controller: { temporarySize: "2Gi" } }, "2Gi"],
  ["agent", { controller: { enabled: false }, agent: { enabled: true } }, "64Mi"],
];

for (const [part, values, sizeLimit] of parts) {
  test(`the ${part} is held to what it needs of a node: no root, no capability, one folder of ${sizeLimit}`, () => {
    const pod = podOf(values);
    assert.deepEqual(at(pod, "securityContext"), {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(at(pod, "containers", 0, "securityContext"), {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    assert.deepEqual(at(pod, "volumes"), [{ name: "tmp", emptyDir: { sizeLimit } }]);
    assert.deepEqual(at(pod, "containers", 0, "volumeMounts"), [{ name: "tmp", mountPath: "/tmp" }]);
    assert.notEqual(at(pod, "containers", 0, "resources", "limits", "memory"), undefined);
    for (const field of ["hostNetwork", "hostPID", "hostIPC"]) assert.equal(at(pod, field), undefined);
  });
}
