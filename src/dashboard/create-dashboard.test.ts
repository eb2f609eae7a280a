import assert from "node:assert/strict";
import { test } from "node:test";
import { DashboardFixture, host, readEverything } from "../../test/support/dashboard/dashboard-fixture.ts";
import { Fault } from "../core/fault/index.ts";

test("a visitor signs in with a token, and everything is asked for with this token alone", async () => {
  const at = new DashboardFixture();
  const token = await at.account("jane", "shop", [readEverything], { everywhere: true });
  const answer = await at.send("POST", "/api/session", { json: { token } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers["set-cookie"] ?? "", /^__Host-sluice-session-8443=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  assert.deepEqual(answer.json, {
    mode: "token",
    version: "1.2.3",
    signedIn: true,
    user: "system:serviceaccount:shop:jane",
    contexts: [{ name: "prod", current: true }],
    namespaces: [],
    expiresAtMs: at.clock.now() + 3_600_000,
  });
  assert.ok(!answer.text.includes(token));
  const stream = await at.stream(answer.cookie, ["/c/prod"]);
  await at.clock.advance(2000);
  assert.equal(stream.messages[0]?.type, "reset");
  assert.ok(at.asked.length > 2);
  assert.deepEqual([...new Set(at.asked.map(({ authorization }) => authorization))], [`Bearer ${token}`]);
  stream.leave();
});

test("wrong, expired, empty and odd tokens are refused by what is wrong with them", async () => {
  const at = new DashboardFixture();
  const token = await at.account("jane", "shop", []);
  const refusalOf = async (json: unknown) => {
    const { status, message } = await at.send("POST", "/api/session", { json });
    return `${status} ${message}`;
  };
  assert.match(await refusalOf({ token: "nonsense" }), /^401 The cluster does not accept this token/);
  assert.match(await refusalOf({ token: `${token}x` }), /^401 The cluster does not accept this token/);
  assert.match(await refusalOf({ token: "" }), /^400 This is no token/);
  assert.match(await refusalOf({ token: "a\r\nimpersonate-user: admin" }), /^400 This is no token/);
  assert.match(await refusalOf({ token, namespaces: ["../x"] }), /^400 "..\/x" is no name of a namespace/);
  assert.match(await refusalOf({ code: at.dashboard.toString() }), /^400 Sign in with a token/);
  assert.match(await refusalOf([]), /^400 Send a code or a token/);
  assert.match(await refusalOf("{"), /^400 The request is no JSON/);
  await at.clock.advance(3_700_000);
  assert.match(await refusalOf({ token }), /^401 This token has expired/);
});

test("after ten failures an address has to wait, and others have not", async () => {
  const at = new DashboardFixture();
  const attempt = async (address: string) => {
    const request = { ...at.request("POST", "/api/session", { json: { token: "nonsense" } }), peer: { address } };
    return at.clock.until(at.dashboard.handler(request));
  };
  for (let count = 0; count < 10; count++) assert.equal((await attempt("192.0.2.7")).status, 401);
  const { status, headers } = await attempt("192.0.2.7");
  assert.equal(status, 429);
  assert.equal(headers["retry-after"], "6");
  assert.equal((await attempt("192.0.2.8")).status, 401);
  await at.clock.advance(6000);
  assert.equal((await attempt("192.0.2.7")).status, 401);
});

test("signing out ends the session in every tab, and nobody else's", async () => {
  const at = new DashboardFixture();
  const token = await at.account("jane", "shop", [readEverything], { everywhere: true });
  const [mine, other] = [await at.signIn(token), await at.signIn(token)];
  const tabs = [await at.stream(mine, ["/c/prod"]), await at.stream(mine, ["/c/prod/fleet"])];
  const others = await at.stream(other, ["/c/prod"]);
  await at.clock.advance(1500);
  assert.equal((await at.send("DELETE", "/api/session", { cookie: mine })).status, 200);
  await at.clock.advance(10);
  for (const tab of tabs) {
    assert.match(tab.text, /event: ended\ndata: \{"because":"You have signed out\."\}\n\n$/);
    assert.ok(tab.hasEnded);
  }
  assert.ok(!others.hasEnded);
  assert.equal((await at.send("GET", "/api/c/prod/object", { cookie: mine })).status, 401);
  assert.equal((await at.stream(mine, ["/c/prod"])).answer.status, 401);
  others.leave();
});

test("a session ends with its token, or after its longest time", async () => {
  for (const [expirationSeconds, maxSessionMs, lastsMs] of [
    [600, 3_600_000, 600_000],
    [3600, 900_000, 900_000],
  ] as const) {
    const at = new DashboardFixture({ maxSessionMs });
    const token = await at.account("jane", "shop", [readEverything], { everywhere: true, expirationSeconds });
    const cookie = await at.signIn(token);
    const stream = await at.stream(cookie, ["/c/prod"]);
    await at.clock.advance(lastsMs - 20_000);
    assert.ok(!stream.hasEnded);
    await at.clock.advance(30_000);
    assert.match(stream.text, /event: ended\ndata: \{"because":"Your session has expired/);
    const ended = "Your session has expired. Sign in again.";
    assert.deepEqual((await at.send("GET", "/api/session", { cookie })).json, { mode: "token", version: "1.2.3", signedIn: false, ended });
    assert.deepEqual((await at.send("GET", "/api/session", {})).json, { mode: "token", version: "1.2.3", signedIn: false });
  }
});

test("a token that the cluster no longer accepts ends its session", async () => {
  const at = new DashboardFixture();
  const token = await at.account("jane", "shop", [readEverything], { everywhere: true });
  const stream = await at.stream(await at.signIn(token), ["/c/prod"]);
  await at.clock.advance(1500);
  const account = { group: "", version: "v1", kind: "ServiceAccount", namespace: "shop", name: "jane" };
  await at.clock.until(at.admin.delete(account));
  await at.clock.advance(61_000);
  assert.match(stream.text, /event: ended\ndata: \{"because":"The cluster no longer accepts your token/);
});

for (const [what, headers, status] of [
  ["a name that an attacker points here", { host: "evil.example" }, 421],
  ["the right name with another port", { host: "dash.example:80" }, 421],
  ["no name", { host: "" }, 421],
  ["a name with a path in it", { host: "dash.example:8443/x" }, 421],
  ["another site, by Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }, 403],
  ["another host of the site", { "sec-fetch-site": "same-site" }, 403],
  ["another origin", { origin: "https://evil.example" }, 403],
  ["a page without an origin", { origin: "null" }, 403],
  ["the page itself", { origin: `https://${host}`, "sec-fetch-site": "same-origin" }, 200],
  ["a program", {}, 200],
] as const) {
  test(`a request of ${what} is answered ${status}`, async () => {
    const at = new DashboardFixture();
    const token = await at.account("jane", "shop", [readEverything], { everywhere: true });
    const cookie = await at.signIn(token);
    assert.equal((await at.send("GET", "/api/session", { headers, cookie })).status, status);
    assert.equal((await at.send("POST", "/api/session", { headers, json: { token } })).status, status);
    const stream = await at.stream(cookie, ["/c/prod"], headers);
    assert.equal(stream.answer.status, status);
    stream.leave();
    assert.equal((await at.send("DELETE", "/api/session", { headers, cookie })).status, status);
    // The page is to be seen by links from anywhere, under the right name.
    assert.equal((await at.send("GET", "/", { headers })).status, status === 403 ? 200 : status);
  });
}

test("a form of another site cannot sign anybody in", async () => {
  const at = new DashboardFixture();
  const headers = { "content-type": "text/plain" };
  assert.equal((await at.send("POST", "/api/session", { headers, json: { token: "x" } })).status, 415);
});

test("every answer has a strict policy, and nobody may keep what is a visitor's", async () => {
  const at = new DashboardFixture();
  for (const path of ["/", "/main.js", "/api/session", "/api/stream", "/nothing.js"]) {
    const { headers } = await at.send("GET", path);
    assert.match(headers["content-security-policy"] ?? "", /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
    assert.doesNotMatch(headers["content-security-policy"] ?? "", /unsafe|\*|http/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "same-origin");
    assert.match(headers["cache-control"] ?? "", /^no-(store|cache)$/);
  }
});

test("files of the page are compressed and told by their tags; views get the page", async () => {
  const at = new DashboardFixture();
  const plain = await at.send("GET", "/main.js");
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip, br;q=0", "gzip"],
    ["identity", undefined],
  ] as const) {
    const { headers } = await at.send("GET", "/main.js", { headers: { "accept-encoding": accepted } });
    assert.equal(headers["content-encoding"], encoding);
    assert.ok(encoding === undefined || Number(headers["content-length"]) < plain.text.length / 5);
    const again = { "accept-encoding": accepted, "if-none-match": headers["etag"] ?? "" };
    assert.equal((await at.send("GET", "/main.js", { headers: again })).status, 304);
  }
  assert.match((await at.send("GET", "/c/prod/releases/shop/web")).text, /<title>Sluice/);
  assert.equal((await at.send("GET", "/other.js")).status, 404);
  assert.equal((await at.send("GET", "/../package.json")).status, 404);
  assert.equal((await at.send("POST", "/", { json: {} })).status, 405);
});

test("a code signs one browser in, once", async () => {
  const at = new DashboardFixture({ mode: "code" });
  const wrong = await at.send("POST", "/api/session", { json: { code: `${at.code.slice(0, -1)}_` } });
  assert.equal(wrong.status, 401);
  assert.match(wrong.message, /another dashboard/);
  const { status, json, cookie } = await at.send("POST", "/api/session", { json: { code: at.code } });
  assert.equal(status, 200);
  assert.deepEqual(json, {
    mode: "code",
    version: "1.2.3",
    signedIn: true,
    user: "",
    contexts: [
      { name: "prod", current: true },
      { name: "broken", current: false },
    ],
    namespaces: [],
  });
  assert.match((await at.send("POST", "/api/session", { json: { code: at.code } })).message, /used already/);
  assert.equal((await at.send("POST", "/api/session", { json: { token: "x" } })).status, 400);
  const stream = await at.stream(cookie, ["/c/broken", "/c/prod"]);
  await at.clock.advance(2000);
  assert.deepEqual(stream.notices("/c/broken"), ["the program for credentials is not installed"]);
  assert.deepEqual(stream.notices("/c/prod"), []);
  stream.leave();
});

test("requests and streams are answered for the clusters of the visitor, and nothing else", async () => {
  const at = new DashboardFixture();
  const cookie = await at.signIn(await at.account("jane", "shop", [readEverything], { everywhere: true }));
  const statusOf = async (path: string, method = "GET") => (await at.send(method, path, { cookie })).status;
  assert.equal(await statusOf("/api/c/other/object"), 404);
  assert.equal(await statusOf("/api/c/prod/constructor"), 404);
  assert.equal(await statusOf("/api/c/prod/actions/constructor", "POST"), 404);
  assert.equal(await statusOf("/api/c/%/object"), 404);
  assert.equal(await statusOf("/api/c/prod/object", "POST"), 405);
  assert.equal(await statusOf("/api/nothing"), 404);
  assert.equal(await statusOf("/api/stream"), 400);
  assert.equal(await statusOf("/api/stream?view=/c/other"), 404);
  assert.equal(await statusOf("/api/stream?view=/nothing"), 404);
  assert.equal(await statusOf(`/api/stream?${"view=/c/prod&".repeat(9)}`), 400);
  assert.equal(await statusOf("/api/stream", "POST"), 405);
  assert.equal((await at.send("GET", "/healthz", { headers: { host: "10.0.0.1:8443" } })).status, 200);
});

test("an action is done as the visitor, by a request of the page itself", async () => {
  const done: string[] = [];
  const actions = {
    rename: {
      maxBytes: 100,
      run: async (body: unknown, { cluster, context, user }: { cluster: { namespace: string }; context: string; user: string }) => {
        done.push(`${user} in ${context}: ${JSON.stringify(body)} ${cluster.namespace}`);
        return { ok: true };
      },
    },
    refuse: {
      run: async () => {
        throw new Fault("this revision is gone");
      },
    },
  };
  const at = new DashboardFixture({ actions });
  const cookie = await at.signIn(await at.account("jane", "shop", []));
  const act = (name: string, json: unknown, headers = {}) => at.send("POST", `/api/c/prod/actions/${name}`, { cookie, json, headers });
  assert.deepEqual((await act("rename", { to: "x" })).json, { ok: true });
  assert.deepEqual(done, ['system:serviceaccount:shop:jane in prod: {"to":"x"} default']);
  assert.equal((await act("rename", { to: "x".repeat(100) })).status, 413);
  assert.equal((await act("rename", { to: "x" }, { origin: "https://evil.example" })).status, 403);
  assert.equal((await at.send("POST", "/api/c/prod/actions/rename", { json: {} })).status, 401);
  assert.equal((await at.send("GET", "/api/c/prod/actions/rename", { cookie })).status, 405);
  const refused = await act("refuse", {});
  assert.deepEqual([refused.status, refused.message], [422, "this revision is gone"]);
  assert.equal(done.length, 1);
});
