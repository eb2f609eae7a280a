import assert from "node:assert/strict";
import { test } from "node:test";
import { ControllerReplica, eventAddonYaml, profileYaml, stopReplicas } from "../../../../test/support/controller-replica.ts";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { applyObjects, serviceObject } from "../../../../test/support/event-objects.ts";
import { gvkOf } from "../../api/index.ts";

test("a deployment is traced with the event that brought it about, and one of a profile without", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  const events: string[] = [];
  const deployments: { readonly profile: string; readonly event: string | undefined }[] = [];
  const traces = {
    addEvent: ({ uid }: { readonly uid: string }) => void events.push(uid),
    addRecording: ({ subject }: { readonly subject: object }, event?: string) =>
      void deployments.push({ profile: "profile" in subject ? String(subject.profile) : "", event }),
  };
  const replica = new ControllerReplica(fixture, "a", { traces });
  await fixture.apply(profileYaml + "---" + eventAddonYaml);
  await applyObjects(fixture, fixture.managed("c1")!, serviceObject("web", { sveltos: "fv" }));
  await fixture.advance(30_000);
  const profiles = await fixture.list(gvkOf("ClusterProfile"));
  const generated = profiles.filter(({ metadata }) => metadata.name !== "it");
  assert.deepEqual(
    generated.map(({ metadata }) => metadata.uid),
    [...new Set(events)],
  );
  const eventOf = (name: string) =>
    new Set(deployments.filter(({ profile }) => profile === `ClusterProfile/${name}`).map(({ event }) => event));
  assert.deepEqual(eventOf(generated[0]!.metadata.name), new Set([generated[0]!.metadata.uid]));
  assert.deepEqual(eventOf("it"), new Set([undefined]));
  await stopReplicas(fixture, replica);
});
