import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsFor } from "./event-commands.ts";

const node = { type: "node", id: "a", title: "a", subtitle: "", state: "ready" } as const;
const view = { type: "events", context: "my hub", cluster: { kind: "SveltosCluster", namespace: "fleet", name: "east" } } as const;
const lib = { group: "lib.projectsveltos.io", version: "v1beta1" };

test("each step has its commands", () => {
  const trigger = { ...node, step: "EventTrigger", ref: { ...lib, kind: "EventTrigger", namespace: "", name: "t" } } as const;
  assert.deepEqual(commandsFor(trigger, view), [
    "sluice why EventTrigger/t --cluster fleet/east --context 'my hub'",
    "kubectl get eventtrigger.lib.projectsveltos.io/t -o yaml --context 'my hub'",
  ]);
  const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: "shop", name: "web" };
  assert.deepEqual(commandsFor({ ...node, step: "Objects", ref, cluster: view.cluster }, view), [
    "sluice show resources --cluster fleet/east --context 'my hub'",
    "kubectl get deployment.apps/web -n shop -o yaml",
  ]);
  assert.deepEqual(commandsFor({ ...node, step: "Objects" }, view), []);
});
