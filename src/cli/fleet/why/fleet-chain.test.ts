import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetChainLines, plainPaint, type ChainLink } from "../../../view/index.ts";
import { groupChains, type FleetChain } from "./fleet-chain.ts";

const link = (state: ChainLink["state"], kind: string, name: string, message = "", more = {}): ChainLink => ({
  object: { kind, namespace: "", name },
  state,
  message,
  ...more,
});

function chain(cluster: string, ...links: readonly ChainLink[]): FleetChain {
  return { clusters: [{ type: "Sveltos", namespace: "fleet", name: cluster }], links: [link("ok", "ClusterProfile", "web"), ...links] };
}

const pod = (name: string) => `pod ${name}: container web crashes`;

test("chains that are broken for the same reason are one, those that are broken first", () => {
  const many = Array.from({ length: 1000 }, (_, at) => chain(`c${at}`, link("ok", "Feature", "Helm")));
  const broken = ["x", "b", "a"].map((name) => chain(name, link("broken", "Deployment", "web", pod(`web-5d9c7b8f6-${name}2345`))));
  const summary = chain("east", link("broken", "ClusterSummary", "web-sveltos-east", "web-sveltos-east: forbidden"));
  const other = chain("west", link("broken", "ClusterSummary", "web-sveltos-west", "web-sveltos-west: forbidden"));
  const waiting = chain("late", link("waiting", "Feature", "Helm", "Provisioning"));
  assert.deepEqual(
    groupChains([...many, waiting, ...broken, summary, other]).map(({ clusters, brokenAt, links }) => [
      clusters.length,
      clusters[0]?.name,
      brokenAt === undefined ? "ok" : links[brokenAt]?.state,
    ]),
    [
      [3, "a", "broken"],
      [2, "east", "broken"],
      [1, "late", "waiting"],
      [1000, "c0", "ok"],
    ],
  );
});

test("the lines of a chain: every link, the first that is broken, what it has written and what to do", () => {
  const details = { details: ["web-1 web: \u001b[31mno database\u001b[0m"], advice: "correct it" };
  const waiting = link("waiting", "EventReport", "later", "not yet", { advice: "wait" });
  const clusters = ["a", "b", "c", "d"].map((name) => chain(name, link("broken", "Deployment", "web", "it\ncrashes", details), waiting));
  assert.deepEqual(fleetChainLines("ClusterProfile/web", groupChains(clusters), plainPaint), [
    "ClusterProfile/web in fleet/a, fleet/b, fleet/c, … (4 clusters): is broken at deployment/web",
    "  ok       clusterprofile/web",
    "  broken   deployment/web: it crashes",
    "           | web-1 web: no database",
    "           what to do: correct it",
    "  waiting  eventreport/later: not yet",
  ]);
  const different = Array.from({ length: 12 }, (_, at) => chain("a", link("broken", "Deployment", `d${"x".repeat(at)}`)));
  assert.equal(
    fleetChainLines("ClusterProfile/web", groupChains(different), plainPaint).at(-1),
    "and 2 more chains: --cluster narrows it, -o json shows all",
  );
});
