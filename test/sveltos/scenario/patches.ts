/** What patches of profiles make of objects in a cluster, whose schemas say how lists merge. */
import assert from "node:assert/strict";
import { listAt, stringAt } from "../../../src/core/object/index.ts";
import { fleetScenario } from "../scenario-context.ts";
import { configMapRef, contentConfigMap, profile, sveltosRef, valueConfigMapText } from "../../support/sveltos-objects.ts";

const deployment = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "web:1", ports: [{ containerPort: 53, protocol: "UDP" }] },
          { name: "side", image: "side:1" },
        ],
      },
    },
  },
});

const container = `{name: web, image: "web:2", ports: [{containerPort: 53, protocol: TCP}]}`;
const patches = [
  { target: { kind: "Deployment" }, patch: `spec: {template: {spec: {containers: [{name: side, $patch: delete}, ${container}]}}}` },
  { target: { name: "kep" }, patch: "data: {v: part}" },
  { target: { name: "ke+p" }, patch: "kind: ConfigMap\nmetadata: {name: renamed}\ndata: {v: patched}" },
  { patch: "$patch: delete\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone, namespace: default}" },
];

const lists = fleetScenario("patches merge lists by key, rename nothing, and delete what they name", async (context) => {
  const { hub, one } = context;
  const content = [deployment, valueConfigMapText("keep", "1"), valueConfigMapText("gone", "1")];
  await context.apply(hub, contentConfigMap("patched", content), profile("patched", { patches }));
  await context.eventuallyData({ keep: "patched", gone: undefined });
  const web = await context.eventually(one, { group: "apps", version: "v1", kind: "Deployment", namespace: "default", name: "web" });
  const containers = listAt(web, "spec.template.spec.containers");
  assert.deepEqual(
    containers.map(
      (each) =>
        `${stringAt(each, "name")} ${stringAt(each, "image")} ${listAt(each, "ports")
          .map((port) => stringAt(port, "protocol"))
          .join()}`,
    ),
    ["web web:2 TCP,UDP"],
  );
  await context.patch(hub, sveltosRef("ClusterProfile", "patched"), { spec: { patches: patches.slice(0, 3) } });
  await context.eventuallyData({ keep: "patched", gone: "1" });
  await context.patch(hub, sveltosRef("ClusterProfile", "patched"), { spec: { patches } });
  await context.eventually(one, configMapRef("keep"));
  await context.eventuallyData({ keep: "patched", gone: undefined });
});

export const patchScenarios = [lists];
