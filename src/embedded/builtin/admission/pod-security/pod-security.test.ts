import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionFixture, admissionResult } from "../../../../../test/support/embedded/admission-fixture.ts";
import { evaluatePod, violationText } from "./evaluate-pod.ts";
import { levelVersionText, policyOf } from "./policy.ts";

const prefix = "pod-security.kubernetes.io/";
const labels = (modes: Record<string, string>) => Object.fromEntries(Object.entries(modes).map(([mode, value]) => [prefix + mode, value]));

/** Models the cases of pod-security-admission api/helpers_test.go */
const policies: Record<string, [modes: Record<string, string>, policy: string, errors: number]> = {
  "no labels": [{}, "privileged:latest privileged:latest privileged:latest", 0],
  "warn follows enforce": [{ enforce: "baseline" }, "baseline:latest privileged:latest baseline:latest", 0],
  "and its version": [{ enforce: "baseline", "enforce-version": "v1.22" }, "baseline:v1.22 privileged:latest baseline:v1.22", 0],
  "but keeps its own version": [{ enforce: "baseline", "warn-version": "v1.1" }, "baseline:latest privileged:latest baseline:v1.1", 0],
  "and its own level": [{ enforce: "restricted", warn: "baseline" }, "restricted:latest privileged:latest baseline:latest", 0],
  "a wrong level to enforce is the strictest": [{ enforce: "x" }, "restricted:latest privileged:latest privileged:latest", 1],
  "a wrong level to warn of is none": [{ warn: "x", audit: "y" }, "privileged:latest privileged:latest privileged:latest", 2],
  "a wrong version is the latest": [{ "enforce-version": "v1.01" }, "privileged:latest privileged:latest privileged:latest", 1],
  "a version beyond all numbers": [
    { "enforce-version": `v1.${"9".repeat(30)}` },
    "privileged:latest privileged:latest privileged:latest",
    1,
  ],
};

for (const [name, [modes, expected, wrong]] of Object.entries(policies)) {
  test(`policy: ${name}`, () => {
    const { policy, errors } = policyOf(labels(modes));
    assert.equal([policy.enforce, policy.audit, policy.warn].map(levelVersionText).join(" "), expected);
    assert.equal(errors.length, wrong);
  });
}

const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
const armor = "container.apparmor.security.beta.kubernetes.io/";

/** What an API server of this version no longer lets in by itself, but keeps from before. */
const annotated: Record<string, [version: number, annotations: Record<string, string>, expected: string]> = {
  "an old seccomp profile": [18, { [seccomp]: "unconfined" }, `seccompProfile (forbidden annotation ${seccomp}="unconfined")`],
  "an old seccomp profile that is allowed": [18, { [seccomp]: "localhost/x" }, ""],
  "an old seccomp profile since it is a field": [19, { [seccomp]: "unconfined" }, ""],
  "AppArmor profiles": [
    35,
    { [`${armor}b`]: "unconfined", [`${armor}a`]: "x", [`${armor}c`]: "localhost/y" },
    `forbidden AppArmor profiles (annotations must not set AppArmor profile type to "${armor}a="x"", "${armor}b="unconfined"")`,
  ],
};

for (const [name, [version, annotations, expected]] of Object.entries(annotated)) {
  test(`baseline: ${name}`, () => {
    const pod = { metadata: { annotations }, spec: { containers: [{ name: "a" }] } };
    assert.equal(violationText(evaluatePod({ level: "baseline", version }, pod)), expected);
  });
}

test("a pod of a controller is refused like any other, and a template without a spec is nobody's business", () => {
  const home = { metadata: { name: "strict", namespace: "", labels: labels({ enforce: "baseline" }) } };
  const cluster = new AdmissionFixture({ namespaces: [home] });
  const metadata = { namespace: "strict" };
  const refusal = admissionResult(() => cluster.create("pods", { metadata, spec: { hostPID: true } }));
  assert.equal(refusal, '403 pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)');
  assert.equal(
    admissionResult(() => cluster.create("replicationcontrollers", { metadata, spec: {} })),
    "let in",
  );
  assert.equal(
    admissionResult(() => cluster.delete("pods", { metadata, spec: { hostPID: true } })),
    "let in",
  );
});
