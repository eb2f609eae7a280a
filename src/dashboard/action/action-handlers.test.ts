import assert from "node:assert/strict";
import { test } from "node:test";
import { DashboardFixture } from "../../../test/support/dashboard/dashboard-fixture.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { deploy } from "../../release/deploy/index.ts";
import { historyOf } from "../../release/record/index.ts";
import type { ActionItem, ActionPreview } from "../api/index.ts";

const { signal } = new AbortController();
const release = { name: "web", namespace: "shop" };
const everything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
const path = "/c/prod/actions";
const id = "00000000-action-one";
const action = { type: "rollback", ...release, to: 1 };

/** A dashboard over a cluster with two revisions of a release, and a visitor who may do everything. */
async function withRelease(): Promise<{ at: DashboardFixture; cookie: string; token: string }> {
  const at = new DashboardFixture();
  const token = await at.account("ada", "shop", [everything], { everywhere: true });
  for (const value of ["one", "two"]) {
    const { manifests } = readManifests(
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {value: ${value}}}`,
      "web.yaml",
    );
    const follow = async () => {
      for await (const _ of deploy({ release, manifests }, at.admin, { signal, identity: "tester" }));
    };
    await at.clock.until(follow());
  }
  return { at, token, cookie: await at.signIn(token) };
}

async function revisions(at: DashboardFixture): Promise<readonly string[]> {
  return (await at.clock.until(historyOf(at.admin).revisions(release, { signal }))).map(({ revision, state }) => `${revision} ${state}`);
}

test("an action is shown, started once and followed on the stream", async () => {
  const { at, cookie } = await withRelease();
  const stream = await at.stream(cookie, [path]);
  const post = (name: string, json: unknown) => at.send("POST", `/api/c/prod/actions/${name}`, { cookie, json });
  const preview = (await post("preview", { id, action })).json as ActionPreview;
  assert.deepEqual([preview.title, preview.refusals], ["Roll back web to revision 1", []]);
  const [first, second] = [await post("start", { id }), await post("start", { id })];
  assert.deepEqual([first.status, second.status], [200, 200]);
  await at.clock.advance(5_000);
  const item = stream.items(path).get(id) as ActionItem;
  assert.deepEqual([item.state, item.because], ["succeeded", "Revision 3 of web is deployed."]);
  assert.deepEqual(await revisions(at), ["1 superseded", "2 superseded", "3 deployed"]);
  await post("dismiss", { id });
  await at.clock.advance(100);
  assert.equal(stream.items(path).size, 0);
  stream.leave();
});

test("other sites, other visitors and unknown ids start nothing", async () => {
  const { at, cookie } = await withRelease();
  const other = await at.signIn(await at.account("eve", "shop", [everything], { everywhere: true }));
  const post = (name: string, json: unknown, options: { cookie?: string; headers?: Record<string, string> }) =>
    at.send("POST", `/api/c/prod/actions/${name}`, { json, ...options });
  await post("preview", { id, action }, { cookie });
  assert.equal((await post("start", { id }, { cookie, headers: { origin: "https://evil.example" } })).status, 403);
  assert.equal((await post("start", { id }, { cookie, headers: { "sec-fetch-site": "cross-site" } })).status, 403);
  assert.equal((await post("start", { id }, {})).status, 401);
  const stolen = await post("start", { id }, { cookie: other });
  assert.deepEqual([stolen.status, /look at it again/.test(stolen.message)], [422, true]);
  assert.equal((await post("start", { id: "never-shown-at-all" }, { cookie })).status, 422);
  assert.equal((await post("preview", { id, action: { type: "format" } }, { cookie })).status, 422);
  await at.clock.advance(5_000);
  assert.deepEqual(await revisions(at), ["1 superseded", "2 deployed"]);
  assert.deepEqual((await at.stream(other, [path])).items(path).size, 0);
});

test("an action outlives the page and the session, and its end is seen at the next sign-in", async () => {
  const { at, token, cookie } = await withRelease();
  const stream = await at.stream(cookie, [path]);
  await at.send("POST", "/api/c/prod/actions/preview", { cookie, json: { id, action } });
  await at.send("POST", "/api/c/prod/actions/start", { cookie, json: { id } });
  stream.leave();
  assert.equal((await at.send("DELETE", "/api/session", { cookie })).status, 200);
  assert.equal((await at.send("POST", "/api/c/prod/actions/start", { cookie, json: { id } })).status, 401);
  await at.clock.advance(5_000);
  assert.deepEqual(await revisions(at), ["1 superseded", "2 superseded", "3 deployed"]);
  const again = await at.stream(await at.signIn(token), [path]);
  await at.clock.advance(100);
  assert.equal((again.items(path).get(id) as ActionItem).state, "succeeded");
  again.leave();
});

test("pages are told that a run is over, after its last news", async () => {
  const { at, cookie } = await withRelease();
  const stream = await at.stream(cookie, ["/c/prod/releases/shop/web", path]);
  await at.clock.advance(1_000);
  at.dashboard.close({ isRunOver: true });
  await at.clock.until(at.dashboard.ended(1_000));
  await at.clock.advance(100);
  assert.match(stream.text, /event: over\ndata: \{\}\n\n$/);
  assert.equal(at.dashboard.streams(), 0);
});
