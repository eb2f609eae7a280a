/** Events whose objects take more together than an API server stores in one object. */
import assert from "node:assert/strict";
import { wholeNameOf } from "../../../src/sveltos/api/index.ts";
import { fleetScenario } from "../scenario-context.ts";
import { coreRef, labelledEventSource, matchingNamesContent, serviceObject, trigger } from "../../support/sveltos-objects.ts";

/** Eight of these are more than 2 MB in a report. */
const annotations = { note: "x".repeat(200_000) };

const large = fleetScenario("objects that fit into no single report are all reported, deployed and withdrawn", async (context) => {
  const { hub, one } = context;
  const names = [..."abcdefgh"];
  for (const name of names) await context.apply(one, serviceObject(name, { event: "large" }, { annotations }));
  await context.apply(hub, labelledEventSource("large"), matchingNamesContent("large"), trigger("large"));
  await context.eventuallyData({ large: names.join(" ") });
  const reports = (await context.list(hub, "EventReport")).filter((report) => wholeNameOf(report).includes("--large--"));
  assert.ok(reports.length > 2, `${reports.length} reports`);
  for (const name of ["b", "g"]) await context.delete(one, coreRef("Service", name));
  await context.eventuallyData({ large: "a c d e f h" });
  await context.apply(one, serviceObject("b", { event: "large" }, { annotations }));
  await context.eventuallyData({ large: "a b c d e f h" });
});

export const sizeScenarios = [large];
