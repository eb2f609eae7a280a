import assert from "node:assert/strict";
import { test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";

const folder = testFolder("redeploy-release");
const { sluice } = await serveClusters(folder);
const settings = (value: string) =>
  folder.file("settings.yaml", JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { value } }));

async function history(): Promise<readonly string[]> {
  const { out } = await sluice("history", "shop", "-o", "json");
  return (JSON.parse(out) as readonly { revision: number; status: string; description: string }[]).map(
    ({ revision, status, description }) => `${revision} ${status} ${description}`,
  );
}

test("redeploy release: the latest revision is deployed again as a new one", async () => {
  assert.equal((await sluice("deploy", "shop", settings("one"))).code, 0);
  const again = await sluice("redeploy", "release", "shop");
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /deployed: shop in default, revision 2/);
  assert.deepEqual(await history(), ["1 superseded Install complete", "2 deployed Redeploy of 1"]);
});

test("redeploy release: what is not there, or deleted, is refused with what to do", async () => {
  const none = await sluice("redeploy", "release", "none");
  assert.deepEqual([none.code, /none/.test(none.err)], [1, true]);
  assert.equal((await sluice("delete", "shop", "--keep-history")).code, 0);
  const deleted = await sluice("redeploy", "release", "shop");
  assert.equal(deleted.code, 1);
  assert.match(deleted.err, /it has been deleted.*sluice rollback shop brings it back/);
});
