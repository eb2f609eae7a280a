import assert from "node:assert/strict";
import { test } from "node:test";
import { policyRefsYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";
import { withRelease } from "./status-change.ts";
import { SummaryStatusStore } from "./summary-status-store.ts";

test("a record that is too large for a ClusterSummary is refused for good, with what to do", async () => {
  const fixture = await DeployFixture.open();
  const store = new SummaryStatusStore(await fixture.summary(policyRefsYaml("s")), fixture.hub);
  const objects = Array.from({ length: 9000 }, (_, at) => ({
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name: `config-of-a-long-name-${at}`,
    hash: `sha256:${"0".repeat(64)}`,
  }));
  const release = { featureID: "Resources", revision: 1, state: "deploying", hash: "h", objects, content: "", hooks: [] } as const;
  const because = /ClusterSummary mgmt\/demo-sveltos-c1: with the record of 9000 objects it has \d+ bytes.*1\.5 MiB: divide the content/;
  await assert.rejects(fixture.until(store.update(withRelease(release), never)), { message: because, final: true });
  await fixture.until(store.update((status) => ({ ...status, failureMessage: "told" }), never));
  assert.equal(store.status.failureMessage, "told");
});
