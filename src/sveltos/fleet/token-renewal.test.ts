import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, mapAt, stringAt } from "../../core/object/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";
import { FleetUnderTest, sveltosCluster } from "../../../test/support/fleet-under-test.ts";

const secret = { group: "", version: "v1", kind: "Secret", namespace: "mgmt", name: "c1-sveltos-kubeconfig" };

const lifeOf = (token: string) => {
  const { iat, exp, sub } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as {
    iat: number;
    exp: number;
    sub: string;
  };
  return { seconds: exp - iat, sub };
};

test("the token in the kubeconfig of a cluster is renewed at its interval, and before it expires", async () => {
  const fixture = await FleetUnderTest.open();
  const { hub, fleet, clock } = fixture;
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const managed = fleet.clusters()[0]!.connection!.cluster;
  await managed.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "fleet", namespace: "default" } });
  const tokenIn = async () => {
    const kubeconfig = Buffer.from(mapAt(await hub.get(secret), "data")["kubeconfig"] ?? "", "base64").toString();
    return stringAt(listAt(readYaml(kubeconfig, "it"), "users")[0], "user.token", "");
  };
  const set = (tokenRequestRenewalOption: object) =>
    hub.patch(sveltosCluster("c1"), { type: "merge", patch: { spec: { tokenRequestRenewalOption } } });

  // Without a token it is not known whose token it should be.
  await set({ renewTokenRequestInterval: "10m" });
  await clock.advance(60_000);
  assert.equal(await tokenIn(), "");

  await set({ renewTokenRequestInterval: "10m", saNamespace: "default", saName: "fleet" });
  await clock.advance(60_000);
  const first = await tokenIn();
  assert.deepEqual(lifeOf(first), { seconds: 1200, sub: "system:serviceaccount:default:fleet" });
  assert.equal(fleet.clusters()[0]!.reachability.state, "reached");
  const at = stringAt(await hub.get(sveltosCluster("c1")), "status.lastReconciledTokenRequestAt", "");
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

  await clock.advance(400_000);
  assert.equal(await tokenIn(), first);
  await clock.advance(200_000);
  const second = await tokenIn();
  assert.notEqual(second, first);

  // The account is known by the token now. A token that lives shorter than the interval is renewed all the same.
  await set({ renewTokenRequestInterval: "10h", tokenDuration: "11m", saNamespace: null, saName: null });
  await clock.advance(1_000_000);
  assert.deepEqual(lifeOf(await tokenIn()), { seconds: 660, sub: "system:serviceaccount:default:fleet" });
  fixture.stop.abort();
});

test("a token is renewed once a minute at most", async () => {
  const fixture = await FleetUnderTest.open();
  const { hub, fleet, clock } = fixture;
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const managed = fleet.clusters()[0]!.connection!.cluster;
  await managed.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "fleet", namespace: "default" } });
  const tokenRequestRenewalOption = { renewTokenRequestInterval: "1ms", saNamespace: "default", saName: "fleet" };
  await hub.patch(sveltosCluster("c1"), { type: "merge", patch: { spec: { tokenRequestRenewalOption } } });
  const versions = new Set<string>();
  for (let second = 0; second < 300; second++) {
    await clock.advance(1000);
    versions.add((await hub.get(secret)).metadata.resourceVersion ?? "");
  }
  assert.ok(versions.size >= 5 && versions.size <= 7, `renewed ${versions.size} times in five minutes`);
  fixture.stop.abort();
});

test("a token that cannot be renewed is told, and the cluster stays as it is", async () => {
  const fixture = await FleetUnderTest.open({ onFailure: (_, because) => void told.push(because) });
  const told: string[] = [];
  await fixture.register("c1");
  await fixture.run();
  const option = { renewTokenRequestInterval: "often", saNamespace: "default", saName: "none" };
  const patch = { spec: { tokenRequestRenewalOption: option } };
  await fixture.hub.patch(sveltosCluster("c1"), { type: "merge", patch });
  await fixture.clock.advance(1000);
  await fixture.hub.patch(sveltosCluster("c1"), {
    type: "merge",
    patch: { spec: { tokenRequestRenewalOption: { renewTokenRequestInterval: "1h" } } },
  });
  await fixture.clock.advance(1000);
  const problem = 'spec.tokenRequestRenewalOption.renewTokenRequestInterval: found "often", expected a duration such as 1h';
  assert.equal(told[0], `its token cannot be renewed: ${problem}`);
  assert.match(
    told.at(-1) ?? "",
    /^its token cannot be renewed: create serviceaccounts\/token default\/none: serviceaccounts "none" not found$/,
  );
  assert.equal(fixture.fleet.clusters()[0]!.reachability.state, "reached");
  fixture.stop.abort();
});
