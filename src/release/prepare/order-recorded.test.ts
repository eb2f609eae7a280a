import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { connect } from "../../kube/index.ts";
import { manifestsFromNotation } from "../../../test/support/order/notation.ts";
import { orderRecorded } from "./order-recorded.ts";
import { readKinds, scopeOf } from "./read-kinds.ts";

const manifests = manifestsFromNotation(`
  Deployment web {werf.io/weight: "1"}
  CronTab gone
  Namespace shop
  ConfigMap a {werf.io/weight: wrong}
`);

test("recorded manifests are ordered in the scope of their kinds, whatever is wrong with them", async () => {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  const objects = manifests.map(({ object }) => object);
  const findKind = await clock.until(readKinds(objects, cluster));
  const ordered = orderRecorded(manifests, findKind, "home");
  assert.deepEqual(
    ordered.map(({ ref, item }) => `${ref.namespace}/${titleOf(ref)} ${item.at}`),
    ["/namespace/shop app.yaml:11", "home/configmap/a app.yaml:16", "home/crontab/gone app.yaml:6", "home/deployment/web app.yaml:1"],
  );
  const scopes = ordered.map(({ ref }) => scopeOf(findKind(ref)));
  assert.deepEqual(scopes, ["cluster", "namespaced", undefined, "namespaced"]);
  stop();
});
