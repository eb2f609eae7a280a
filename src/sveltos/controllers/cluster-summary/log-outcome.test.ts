import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { noTelemetry } from "../../telemetry/index.ts";

const charts = () =>
  Promise.resolve({
    chart: chartOf({
      "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 0.1.0\n",
      "templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tiny}\n",
    }),
  });
const helmCharts = `helmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/tiny, chartVersion: 0.1.0, releaseName: tiny, releaseNamespace: apps}]`;

test("deploys, repairs, withdrawals and refusals are logged with what they changed; what changes nothing is not", async (t) => {
  const lines: string[] = [];
  const log = (level: string, message: string, { seconds: _seconds, ...fields }: Readonly<Record<string, unknown>>) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields).replaceAll('"', "")}`);
  const fixture = await SummaryFixture.open({ context: { telemetry: { ...noTelemetry, log }, charts } });
  t.after(() => fixture.close());
  const taken = () => lines.splice(0);
  const demo = "profile:ClusterProfile/demo,cluster:Sveltos/mgmt/c1,clusterSummary:demo-sveltos-c1";

  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
  const spec = `${policyRefsYaml("s")}\nsyncMode: ContinuousWithDriftDetection`;
  await fixture.deploy("demo", spec);
  assert.deepEqual(taken(), [`info deployed {${demo},created:2,revision:1}`]);
  await fixture.deploy("demo", spec, { annotations: { seen: "again" } });
  await fixture.fleet.advance(60_000);
  assert.deepEqual(taken(), [], "nothing was to be done");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2 c=1") }));
  assert.deepEqual(taken(), [`info deployed {${demo},created:1,updated:1,deleted:1,revision:2}`]);
  await fixture.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\ndata: {v: theirs}", "c1");
  assert.deepEqual(taken(), [`info repaired drift {${demo},updated:1,revision:2}`]);
  await fixture.deploy("demo", "tier: 7\nkustomizationRefs: [{kind: ConfigMap, name: k}]");
  const [refused, ...more] = taken();
  assert.match(refused ?? "", /^info refused \{profile:ClusterProfile\/demo,.*,error:.*kustomizationRefs/);
  assert.deepEqual(more, []);
  await fixture.fleet.advance(60_000);
  assert.deepEqual(taken(), [], "it is said once");
  await fixture.deploy("demo", `${policyRefsYaml("s")}\n${helmCharts}`);
  assert.deepEqual(taken(), [`info deployed {${demo},created:1,revision:2,releases:[apps/tiny revision 1]}`]);
  await fixture.withdraw("demo");
  assert.deepEqual(taken(), [`info withdrawn {${demo},deleted:3,revision:2,releases:[apps/tiny revision 1]}`]);
});
