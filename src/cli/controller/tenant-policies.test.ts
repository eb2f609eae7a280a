import { after, test } from "node:test";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import {
  chartPolicies,
  checkChanges,
  checkContent,
  checkCreations,
  tenantRights,
  type Until,
} from "../../../test/support/tenant-policies.ts";

const fleet = await EmbeddedFleet.open({ clusters: {} });
after(() => fleet.close());
for (const policy of chartPolicies()) await fleet.until(fleet.hub.create(policy));
await fleet.apply(tenantRights);
await fleet.advance(1000);
const until: Until = (work) => fleet.until(work);

test("the policies of the chart let everybody write on their own word only", () => checkCreations(fleet.hub, until));
test("nobody changes, relabels or deletes what is somebody else's word", () => checkChanges(fleet.hub, until));
test("nobody else writes what a trigger would take for its own in Sveltos' namespace", () => checkContent(fleet.hub, until));
