import assert from "node:assert/strict";
import { test } from "node:test";
import { connectInProcess } from "../../../test/support/connected-cluster.ts";
import { connect } from "../../kube/index.ts";
import type { AddonOutline } from "../../view/index.ts";
import { readDeployedObjects } from "./deployed-objects.ts";

const never = new AbortController().signal;

test("many objects of a kind are read by one list, and what is not labelled by itself", async (t) => {
  const { cluster, exchange, clock } = await connectInProcess(t);
  const names = Array.from({ length: 30 }, (_, at) => `m${at}`);
  for (const [at, name] of names.entries()) {
    const labels = at === 0 ? {} : { "projectsveltos.io/reason": "Resources" };
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels } });
  }
  const requests: string[] = [];
  const counting = connect(
    (request) => {
      requests.push(request.path);
      return exchange(request);
    },
    { clock },
  );
  const addons = names.map((name): AddonOutline => ({
    cluster: { namespace: "fleet", name: "east" },
    type: "resource",
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name,
    deploymentType: "Remote",
    profiles: [],
  }));
  const found = await readDeployedObjects(addons, counting, never);
  assert.deepEqual([...new Set(found.map(({ health }) => health))], ["ready"]);
  assert.deepEqual(
    requests.filter((path) => path.includes("/configmaps")).map((path) => path.replace(/\?.*/, "")),
    ["/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/configmaps/m0"],
  );
});
