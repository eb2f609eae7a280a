import assert from "node:assert/strict";
import { after, test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { channelTasks } from "../../../../test/support/deploy/channel-tasks.ts";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { roleYaml, TenantFixture } from "../../../../test/support/tenant-fixture.ts";
import { gvkOf } from "../../api/index.ts";
import { fieldsAt } from "../../../core/object/index.ts";
import { packageChart } from "../../../repository/index.ts";
import { runProfileController } from "../profile/index.ts";
import { runRoleRequestController } from "../role-request/index.ts";
import { runSummaryController } from "../cluster-summary/index.ts";

const alice = { namespace: "eng", name: "alice" };
const byAdminName = { "projectsveltos.io/admin-name": "alice" };
const all = ["*"];
const role = roleYaml(
  "app",
  [
    { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: all },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: all },
  ],
  "default",
);
/** It deploys a ConfigMap where its values say, with what it has found of the objects that they name. */
const archive = packageChart(
  chartOf({
    "templates/a.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: made, namespace: {{ .Values.place }}}
data: {found: {{ lookup "v1" .Values.kind .Values.from .Values.name | len | quote }}}
`,
  }),
);
const charts = () => Promise.resolve({ archive, title: "load chart web", warn: () => undefined });
const tasks = channelTasks({ now: () => 0, randomBytes: (count) => new Uint8Array(count) });
const fixture = await TenantFixture.open(
  { clusters: { c1: { env: "fv" } }, context: { charts, tasks } },
  runProfileController,
  runRoleRequestController,
  runSummaryController,
);
after(() => fixture.close());
const { fleet } = fixture;
const made = (namespace: string) =>
  fleet.get({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "made" }, fleet.managed("c1"));

await fixture.allowReading(alice, "eng");
await fixture.grant("access", alice, "fv", [role]);
for (const [kind, namespace] of Object.entries({ ConfigMap: "default", Secret: "kube-system" }))
  await fleet.apply(JSON.stringify({ apiVersion: "v1", kind, metadata: { name: "seen", namespace } }), fleet.managed("c1"));

type Values = { readonly place: string; readonly kind: string; readonly from: string; readonly name: string };

async function deploy(values: Values, labels: Readonly<Record<string, string>>, kind: "Profile" | "ClusterProfile"): Promise<string> {
  const chart = { repositoryURL: "http://charts.example", repositoryName: "r", chartName: "r/web", chartVersion: "0.1.0" };
  const helmCharts = [{ ...chart, releaseName: "web", releaseNamespace: "default", values: JSON.stringify(values) }];
  await fixture.profile("app", labels, "fv", "", { kind, spec: { policyRefs: [], helmCharts } });
  return fixture.state("app", "c1", kind);
}

async function withdraw(kind: "Profile" | "ClusterProfile"): Promise<void> {
  await fleet.until(fleet.hub.delete({ ...gvkOf(kind), namespace: kind === "Profile" ? fleetNamespace : "", name: "app" }));
  await fleet.advance(1000);
}

const own: Values = { place: "default", kind: "ConfigMap", from: "default", name: "seen" };
const cannot = (verb: string, resource: string, where: string) =>
  new RegExp(
    `^ServiceAccount eng/alice in cluster mgmt/c1: .*User "system:serviceaccount:projectsveltos:eng--alice" cannot ${verb} resource "${resource}".* ${where}`,
    "s",
  );

test("a tenant's chart looks up and deploys what is granted", async () => {
  assert.equal(await deploy(own, byAdminName, "Profile"), "Provisioned");
  assert.deepEqual(fieldsAt(await made("default"), "data"), { found: "3" });
  await withdraw("Profile");
  assert.equal(await made("default"), undefined);
});

const denials: Readonly<Record<string, readonly [Partial<Values>, RegExp]>> = {
  "a lookup in another namespace": [{ kind: "Secret", from: "kube-system" }, cannot("get", "secrets", 'in the namespace "kube-system"')],
  "a lookup in all namespaces": [{ kind: "Secret", from: "", name: "" }, cannot("list", "secrets", "at the cluster scope")],
  "an object in another namespace": [{ place: "kube-system" }, cannot("get", "configmaps", 'in the namespace "kube-system"')],
};

for (const [what, [values, says]] of Object.entries(denials))
  test(`a tenant's chart is denied ${what}, which the platform's is not`, async () => {
    const wanted = { ...own, ...values };
    assert.match(await deploy(wanted, byAdminName, "Profile"), says);
    assert.equal(await made(wanted.place), undefined);
    await withdraw("Profile");
    assert.equal(await deploy(wanted, {}, "ClusterProfile"), "Provisioned");
    assert.notEqual(await made(wanted.place), undefined);
    await withdraw("ClusterProfile");
  });

test("a release that a tenant names and may not have is uninstalled with its own profile", async () => {
  const chart = { repositoryURL: "http://charts.example", repositoryName: "r", chartName: "r/web", chartVersion: "0.1.0" };
  const values = JSON.stringify({ ...own, place: "kube-system" });
  const helmCharts = [{ ...chart, releaseName: "system", releaseNamespace: "kube-system", values }];
  const spec = { policyRefs: [], helmCharts };
  await fixture.profile("platform", {}, "fv", "", { spec });
  assert.equal(await fixture.state("platform"), "Provisioned");
  await fixture.profile("wants", byAdminName, "fv", "", { spec: { ...spec, tier: 1 } });
  assert.match(await fixture.state("wants"), cannot("list", "secrets", 'in the namespace "kube-system"'));
  await fleet.until(fleet.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "platform" }));
  await fleet.advance(5000);
  assert.equal(await fixture.summary("platform"), undefined);
  assert.equal(await made("kube-system"), undefined);
});
