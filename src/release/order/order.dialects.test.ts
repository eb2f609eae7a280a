import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderingConstraints } from "./ordering-constraints.ts";
import { constraintsOf, gateNotation, needText, orderFromNotation, placeTexts } from "../../../test/support/order/notation.ts";

/** The ordering constraint that an annotation sets, on one line. */
function says(object: string, claim: (constraints: OrderingConstraints) => unknown, expected: unknown): void {
  test(object, () => assert.deepEqual(claim(constraintsOf(object)), expected));
}

const place = (text: string) => placeTexts(orderFromNotation(text))[0];

const places: Readonly<Record<string, string>> = {
  // Helm
  "Job j {helm.sh/hook: pre-install}": "pre-install 0 job/j until completed",
  "Pod p {helm.sh/hook: test}": "pre-test 0 pod/p until completed",
  "Pod p {helm.sh/hook: test-success}": "pre-test 0 pod/p until completed",
  'Job j {helm.sh/hook: "pre-install, post-upgrade,pre-install"}': "pre-install,post-upgrade 0 job/j until completed",
  "ConfigMap c {helm.sh/hook: post-delete}": "post-delete 0 configmap/c until ready",
  'Job j {helm.sh/hook: pre-rollback, helm.sh/hook-weight: "-5"}': "pre-rollback -5 job/j until completed",
  'Job j {helm.sh/hook: pre-install, helm.sh/hook-weight: "-5", werf.io/weight: "3"}': "pre-install 3 job/j until completed",
  'Job j {helm.sh/hook: pre-install, kots.io/creation-phase: "7"}': "pre-install 0 job/j until completed",
  // werf
  'Deployment d {werf.io/weight: "-1"}': "main -1 deployment/d until ready",
  'Deployment d {werf.io/weight: " +2 "}': "main 2 deployment/d until ready",
  "ConfigMap c {werf.io/deploy-on: pre-install}": "pre 0 configmap/c until ready",
  // KOTS
  'Deployment d {kots.io/creation-phase: "-9999"}': "main -9999 deployment/d until applied",
  'Deployment d {kots.io/creation-phase: "01"}': "main 1 deployment/d until applied",
  'Deployment d {kots.io/wait-for-ready: "true"}': "main 0 deployment/d until kots-ready, barrier",
  'Deployment d {kots.io/wait-for-ready: "false"}': "main 0 deployment/d until ready",
  'Deployment d {kots.io/wait-for-ready: "true", kots.io/wait-for-properties: ".a=1"}':
    "main 0 deployment/d until kots-ready and .a=1, barrier",
  // Both on one object, agreeing
  'Deployment d {kots.io/creation-phase: "2", werf.io/weight: "2"}': "main 2 deployment/d until ready",
  'Deployment d {werf.io/weight: "2", kots.io/wait-for-properties: ".a=1"}': "main 2 deployment/d until ready and .a=1, barrier",
  // Sluice
  'Deployment d {sluice.dev/gate: applied, werf.io/weight: "2"}': "main 2 deployment/d until applied",
  "Job j {sluice.dev/gate: completed}": "main 0 job/j until completed",
  "MyResource m {sluice.dev/health: 'self.status.phase == \"Done\"'}": 'main 0 myresource/m until self.status.phase == "Done"',
  // CRDs
  "CustomResourceDefinition c": "crds 0 customresourcedefinition/c until ready",
  'CustomResourceDefinition c {werf.io/weight: "0"}': "main 0 customresourcedefinition/c until ready",
  'CustomResourceDefinition c {kots.io/creation-phase: "-1", kots.io/deletion-phase: "1"}':
    "main -1 customresourcedefinition/c until applied",
  'CustomResourceDefinition c {kots.io/deletion-phase: "1"}': "crds 0 customresourcedefinition/c until ready",
};

for (const [object, expected] of Object.entries(places)) test(object, () => assert.equal(place(object), expected));

/** What Helm tolerates is taken as Helm takes it, with a warning. */
const tolerated: Readonly<Record<string, readonly [string, RegExp]>> = {
  'Job j {helm.sh/hook: pre-install, helm.sh/hook-weight: "abc"}': [
    "pre-install 0 job/j until completed",
    /^job\/j: helm\.sh\/hook-weight is "abc", which Helm takes for 0; expected an integer in quotes/,
  ],
  'Job j {helm.sh/hook: pre-install, helm.sh/hook-weight: " 5"}': [
    "pre-install 0 job/j until completed",
    /is " 5", which Helm takes for 0/,
  ],
  "Job j {helm.sh/hook: 'Pre-Install, post-upgrade'}": [
    "pre-install,post-upgrade 0 job/j until completed",
    /^job\/j: helm\.sh\/hook is "Pre-Install, post-upgrade", which Helm reads as "pre-install, post-upgrade"; expected small letters/,
  ],
  "Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: 'Hook-Succeeded'}": [
    "pre-install 0 job/j until completed",
    /which Helm reads as "hook-succeeded"/,
  ],
  "Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: 'hook-succeded, hook-failed'}": [
    "pre-install 0 job/j until completed",
    /of which Helm ignores "hook-succeded"; expected a list, parted by commas, of before-hook-creation, hook-succeeded or hook-failed/,
  ],
  "ConfigMap c {helm.sh/resource-policy: ' Keep '}": ["main 0 configmap/c until ready", /which Helm reads as "keep"; expected keep/],
  "ConfigMap c {helm.sh/resource-policy: delete}": ["main 0 configmap/c until ready", /which Helm ignores.*; expected keep/],
};

for (const [object, [expected, warning]] of Object.entries(tolerated)) {
  test(`${object} is tolerated`, () => {
    const order = orderFromNotation(object);
    assert.deepEqual(order.problems, []);
    assert.equal(placeTexts(order)[0], expected);
    assert.match(order.warnings.map(({ message }) => message).join("\n"), warning);
  });
}

const policies = ({ deletePolicies }: OrderingConstraints) => deletePolicies.join();
says("Job j {helm.sh/hook: pre-install}", policies, "before-creation");
says('Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: "hook-succeeded, hook-failed"}', policies, "succeeded,failed");
says('Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: ""}', policies, "");
says("Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-failed, werf.io/delete-policy: succeeded}", policies, "succeeded");
says("Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: 'Hook-Succeeded'}", policies, "succeeded");
says("Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: 'hook-succeded, hook-failed'}", policies, "failed");
says("Job j {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeded}", policies, "");
says("ConfigMap c {helm.sh/resource-policy: ' Keep '}", ({ keep }) => keep.delete, true);
says("ConfigMap c {helm.sh/resource-policy: delete}", ({ keep }) => keep.delete, false);
says("Job j", policies, "before-creation-if-immutable");
says("Job j {kots.io/hook-delete-policy: hook-succeeded}", policies, "before-creation-if-immutable,succeeded");
says("ConfigMap c", policies, "");
says("ConfigMap c {werf.io/delete-policy: before-creation}", policies, "before-creation");

const kept = ({ keep, remove }: OrderingConstraints) =>
  `${Object.entries(keep)
    .filter(([, left]) => left)
    .map(([what]) => what)
    .join()} ${remove}`;
says("ConfigMap c", kept, " after");
says("ConfigMap c {helm.sh/resource-policy: keep}", kept, "delete keep");
says('ConfigMap c {kots.io/keep: "true"}', kept, "delete keep");
says('ConfigMap c {kots.io/keep: "false"}', kept, " after");
says('ConfigMap c {werf.io/resource-policy: "skip-create,skip-update, skip-recreate"}', kept, "create,update,recreate after");
says("ConfigMap c {werf.io/resource-policy: skip-update, helm.sh/resource-policy: whatever}", kept, "update after");
says("ConfigMap c {sluice.dev/remove: before}", kept, " before");
says("ConfigMap c {sluice.dev/remove: keep}", kept, "delete keep");
says("Namespace default", kept, "delete keep");
says("Namespace other", kept, " after");

const owner = ({ ownership }: OrderingConstraints) => ownership;
says("ConfigMap c", owner, "release");
says("Job j {helm.sh/hook: pre-install}", owner, "anyone");
says("Job j {helm.sh/hook: pre-install, werf.io/ownership: release}", owner, "release");
says("ConfigMap c {werf.io/ownership: anyone}", owner, "anyone");
says("Namespace default", owner, "anyone");

says('ConfigMap c {kots.io/deletion-phase: "-3"}', ({ deletion }) => deletion, { phase: -3, needs: [] });
says("ConfigMap c {werf.io/delete-propagation: Orphan}", ({ deletion }) => deletion, { needs: [], propagation: "orphan" });
says('Deployment d {werf.io/replicas-on-creation: "0"}', ({ replicasOnCreation }) => replicasOnCreation, 0);
says("Deployment d {sluice.dev/scheduling-timeout: 10m}", ({ tracking }) => tracking.schedulingTimeoutMs, 600_000);
says("Deployment d {sluice.dev/timeout: 1m30s}", ({ timeoutMs }) => timeoutMs, 90_000);
says('MyResource m {sluice.dev/wait-for-kind: "true"}', ({ waitForKind }) => waitForKind, true);
says(
  `MyResource m {sluice.dev/health: 'has(self.status)', sluice.dev/gate: applied}`,
  ({ health, gates }) => [health, ...gates.map(gateNotation)],
  ["has(self.status)", "applied"],
);
says("Job j {werf.io/deploy-on: 'install,post-upgrade'}", ({ stages, hook }) => [stages, hook], [
  { install: ["main"], upgrade: ["post"] },
  false,
]);
says("Job j {werf.io/deploy-on: pre-uninstall}", ({ stages }) => stages, { delete: ["pre"] });

says("Secret s", ({ sensitive }) => sensitive, { whole: true, paths: [] });
says('Secret s {werf.io/sensitive: "false"}', ({ sensitive }) => sensitive, { whole: false, paths: [] });
says('ConfigMap c {werf.io/sensitive: "T"}', ({ sensitive }) => sensitive, { whole: true, paths: [] });
says("ConfigMap c {werf.io/sensitive: 'true', werf.io/sensitive-paths: '$.data.a,$.list[0\\,1]'}", ({ sensitive }) => sensitive, {
  whole: false,
  paths: ["$.data.a", "$.list[0,1]"],
});

const logs = { skip: false, skipContainers: [], onlyContainers: [], replicas: 1, events: false, keep: [], drop: [] };
const untold = { failMode: "fail", blocking: true, ignoreProbeFailuresMs: {}, logs };
const tracked: Readonly<Record<string, unknown>> = {
  "": untold,
  "werf.io/track-termination-mode: NonBlocking": { ...untold, blocking: false },
  "werf.io/fail-mode: IgnoreAndContinueDeployProcess": { ...untold, failMode: "ignore" },
  "werf.io/fail-mode: HopeUntilEndOfDeployProcess": { ...untold, failMode: "hope" },
  'werf.io/failures-allowed-per-replica: "3"': { ...untold, failuresAllowedPerReplica: 3 },
  "werf.io/no-activity-timeout: 8m": { ...untold, noActivityTimeoutMs: 480_000 },
  "werf.io/ignore-readiness-probe-fails-for-web: 1m, werf.io/ignore-readiness-probe-fails-for-db: 0s": {
    ...untold,
    ignoreProbeFailuresMs: { web: 60_000, db: 0 },
  },
  'werf.io/log-regex: "^E", werf.io/log-regex-for-web: "x|y", werf.io/log-regex-skip: "noise", werf.io/log-regex-skip-for-db: "z"': {
    ...untold,
    logs: {
      ...logs,
      keep: [{ pattern: "^E" }, { container: "web", pattern: "x|y" }],
      drop: [{ pattern: "noise" }, { container: "db", pattern: "z" }],
    },
  },
  'werf.io/skip-logs: "true", werf.io/skip-logs-for-containers: "a, b"': {
    ...untold,
    logs: { ...logs, skip: true, skipContainers: ["a", "b"] },
  },
  'werf.io/show-logs-only-for-containers: a, werf.io/show-logs-only-for-number-of-replicas: "2", werf.io/show-service-messages: "1"': {
    ...untold,
    logs: { ...logs, onlyContainers: ["a"], replicas: 2, events: true },
  },
};
for (const [annotations, expected] of Object.entries(tracked)) says(`Deployment d {${annotations}}`, ({ tracking }) => tracking, expected);

const needs = ({ needs }: OrderingConstraints) => needs.map(needText);
const external = (key: string) => `ready, external (${key}.external-dependency.werf.io`;
const dependencies: Readonly<Record<string, readonly string[]>> = {
  "secret.external-dependency.werf.io/resource: secret/vault": [`secret/vault in the release's namespace ${external("secret")}/resource)`],
  "secret.external-dependency.werf.io/resource: secret/vault, secret.external-dependency.werf.io/namespace: 'my-namespace '": [
    `secret/vault in my-namespace ${external("secret")}/resource)`,
  ],
  "a.external-dependency.werf.io/resource: secret/vault, b.external-dependency.werf.io/resource: statefulset/db": [
    `secret/vault in the release's namespace ${external("a")}/resource)`,
    `statefulset/db in the release's namespace ${external("b")}/resource)`,
  ],
  "c.external-dependency.werf.io/resource: certificates.cert-manager.io/tls": [
    `certificates.cert-manager.io/tls in the release's namespace ${external("c")}/resource)`,
  ],
  "c.external-dependency.werf.io: 'cert-manager.io/v1:Certificate:shop:tls'": [
    `cert-manager.io/v1/Certificate/tls in shop ${external("c")})`,
  ],
  "c.external-dependency.werf.io: 'v1:Secret:tls', c.external-dependency.werf.io/resource: secret/other": [
    `v1/Secret/tls in the release's namespace ${external("c")})`,
  ],
};
for (const [annotations, expected] of Object.entries(dependencies)) says(`Deployment d {${annotations}}`, needs, expected);

says("Deployment d {c.external-dependency.werf.io/resource: certificates.v1.cert-manager.io/tls}", ({ needs: [need] }) => need!.target, {
  resource: "certificates.cert-manager.io",
  group: "cert-manager.io",
  version: "v1",
  namespace: "",
  name: "tls",
});

test("a dependency inside the release takes the object out of its rank, and is spelled as the object is", () => {
  const { ordered, problems } = orderFromNotation(`
    Job migrate
    Deployment web {werf.io/weight: "4", werf.io/deploy-dependency-m: "state=ready,kind=job,name=migrate"}
    Deployment old {m.dependency.werf.io: "batch/v1:Job:migrate", werf.io/delete-dependency-w: "state=absent,kind=Deployment,name=web"}`);
  const claimed = new Map(ordered.map(({ ref, constraints }) => [ref.name, constraints]));
  assert.deepEqual(problems, []);
  assert.equal(claimed.get("web")!.unranked, true);
  assert.deepEqual(needs(claimed.get("web")!), ["Job/migrate ready (werf.io/deploy-dependency-m)"]);
  assert.deepEqual(needs(claimed.get("old")!), ["batch/v1/Job/migrate present (m.dependency.werf.io)"]);
  assert.deepEqual(claimed.get("old")!.deletion.needs.map(needText), ["Deployment/web absent (werf.io/delete-dependency-w)"]);
  assert.equal(claimed.get("migrate")!.unranked, false);
});
