import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { serveHttp, serveHttps, serveTcp } from "../../../test/support/loopback.ts";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import { openRepositoryEnvironment, openSchemaLoader, SchemaFetcher } from "../index.ts";

const top = mkdtempSync(join(tmpdir(), "sluice-schemas-"));
after(() => rmSync(top, { recursive: true, force: true }));
const never = new AbortController().signal;

/** A clock whose time the test sets, and whose timers fire at once when `isLate`. */
class SteppedClock implements Clock {
  time = Date.parse("2026-01-02T03:04:05Z");
  isLate = false;
  now = () => this.time;
  after = (ms: number, fire: () => void) => new RealClock().after(this.isLate ? 1 : ms, fire);
}

/** Fetchers of one home, each as a new process would have it. */
class Home {
  readonly folder = mkdtempSync(join(top, "home-"));
  readonly clock = new SteppedClock();
  readonly warnings: string[] = [];

  environment = (signal = never) =>
    openRepositoryEnvironment({
      env: { HELM_CACHE_HOME: this.folder },
      home: this.folder,
      clock: this.clock,
      warn: (line) => this.warnings.push(line),
      signal,
    });
  fetcher = () => new SchemaFetcher(this.environment());
  loader = (options: { hosts?: readonly string[]; signal?: AbortSignal; fetcher?: SchemaFetcher } = {}) => {
    const { fetcher = this.fetcher(), ...rest } = options;
    return openSchemaLoader(fetcher, { signal: never, now: this.clock.now, skipAdvice: "skip it", ...rest });
  };
}

/** A server that remembers its requests. */
async function serving(t: TestContext, answer: RequestListener) {
  const asked: IncomingMessage[] = [];
  const server = await serveHttp(t, (request, response) => {
    asked.push(request);
    answer(request, response);
  });
  return { ...server, asked, paths: () => asked.map(({ url }) => url) };
}

async function textAt(load: ReturnType<Home["loader"]>, url: string): Promise<string> {
  const found = await load(url);
  return "problem" in found ? `no: ${found.problem}` : found.text;
}

test("a schema is fetched without any credentials, once for as long as the server allows", async (t) => {
  const home = new Home();
  const server = await serving(t, (_, response) => response.writeHead(200, { "cache-control": "public, max-age=300" }).end("{}"));
  const fetcher = home.fetcher();
  assert.equal(await textAt(home.loader({ fetcher }), `${server.url}/a.json`), "{}");
  assert.equal(await textAt(home.loader({ fetcher }), `${server.url}/a.json`), "{}");
  home.clock.time += 299_000;
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), "{}", "another process reads it from disk");
  assert.equal(server.asked.length, 1);
  assert.equal(server.asked[0]?.headers.authorization, undefined);
  home.clock.time += 2000;
  await textAt(home.loader(), `${server.url}/a.json`);
  assert.equal(server.asked.length, 2);
});

test("a server is believed for an hour at most", async (t) => {
  const home = new Home();
  const server = await serving(t, (_, response) => response.writeHead(200, { "cache-control": "max-age=31536000, immutable" }).end("{}"));
  await textAt(home.loader(), `${server.url}/a.json`);
  home.clock.time += 3_601_000;
  await textAt(home.loader(), `${server.url}/a.json`);
  assert.equal(server.asked.length, 2);
});

test("without such a promise the server is asked whether it has changed", async (t) => {
  const home = new Home();
  let etag = '"1"';
  const server = await serving(t, (request, response) => {
    const isKnown = request.headers["if-none-match"] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? "" : `{"title": ${etag}}`);
  });
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), '{"title": "1"}');
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), '{"title": "1"}');
  etag = '"2"';
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), '{"title": "2"}');
  assert.deepEqual(
    server.asked.map(({ headers }) => headers["if-none-match"]),
    [undefined, '"1"', '"1"'],
  );
});

test("where nobody answers the last copy is used, with a warning; where there is none it says so", async (t) => {
  const home = new Home();
  let status = 200;
  const server = await serving(t, (_, response) => response.writeHead(status).end("{}"));
  await textAt(home.loader(), `${server.url}/a.json`);
  status = 503;
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), "{}");
  assert.match(home.warnings.join("\n"), /returned status 503 \(Service Unavailable\): the copy of 2026-01-02T03:04:05\.000Z is used$/);
  await server.close();
  assert.equal(await textAt(home.loader(), `${server.url}/a.json`), "{}");
  assert.match(home.warnings[1] ?? "", /nothing answers at .*: the copy of 2026-/);
  const missing = await home.loader()(`${server.url}/b.json`);
  assert.ok("problem" in missing && missing.isTransient);
  assert.equal(
    missing.problem,
    `HTTP request failed for ${server.url}/b.json: nothing answers at ${server.url}/b.json (connection refused): check the address; to do without it, skip it`,
  );
});

test("what the server no longer has is not taken from the cache", async (t) => {
  const home = new Home();
  let status = 200;
  const server = await serving(t, (_, response) => response.writeHead(status).end("{}"));
  await textAt(home.loader(), `${server.url}/a.json`);
  status = 404;
  assert.equal(
    await textAt(home.loader(), `${server.url}/a.json`),
    `no: HTTP request to ${server.url}/a.json returned status 404 (Not Found)`,
  );
});

test("neither what must not be stored nor what is no JSON is kept", async (t) => {
  const home = new Home();
  const server = await serving(t, (request, response) => {
    if (request.url === "/page") response.writeHead(200, { "cache-control": "max-age=300" }).end("<html>");
    else response.writeHead(200, { "cache-control": "no-store, max-age=300" }).end("{}");
  });
  const fetcher = home.fetcher();
  for (const path of ["page", "page", "secret", "secret"]) await textAt(home.loader({ fetcher }), `${server.url}/${path}`);
  assert.deepEqual(server.paths(), ["/page", "/page", "/secret", "/secret"]);
  assert.deepEqual(readdirSync(home.folder), []);
});

test("a broken cache counts as empty", async (t) => {
  const home = new Home();
  const server = await serving(t, (_, response) => response.writeHead(200, { "cache-control": "max-age=300" }).end("{}"));
  await textAt(home.loader(), `${server.url}/a.json`);
  const schemas = join(home.folder, "repository", "schemas");
  for (const broken of ["{", "[]", '{"text": 1}']) {
    for (const name of readdirSync(schemas)) writeFileSync(join(schemas, name), broken);
    assert.equal(await textAt(home.loader(), `${server.url}/a.json`), "{}", broken);
  }
  assert.equal(server.asked.length, 4);
});

test("a redirect is followed, and one that goes round is not", async (t) => {
  const home = new Home();
  const server = await serving(t, (request, response) => {
    if (request.url === "/b") response.end("{}");
    else response.writeHead(302, { location: request.url === "/a" ? "/b" : "/loop" }).end();
  });
  assert.equal(await textAt(home.loader(), `${server.url}/a`), "{}");
  assert.match(await textAt(home.loader(), `${server.url}/loop`), /stopped after 10 redirects/);
});

test("only the named hosts are asked, and no redirect leads elsewhere", async (t) => {
  const home = new Home();
  const other = await serving(t, (_, response) => response.end("{}"));
  const server = await serving(t, (request, response) => {
    if (request.url === "/a") response.writeHead(302, { location: `${other.url}/metadata` }).end();
    else response.end("{}");
  });
  const hosts = [new URL(server.url).host];
  assert.equal(await textAt(home.loader({ hosts }), `${server.url}/b`), "{}");
  const refused = await home.loader({ hosts })(`${other.url}/b`);
  assert.ok("problem" in refused && !refused.isTransient);
  assert.match(
    refused.problem,
    new RegExp(`schemas are fetched from ${hosts[0]} only: allow ${new URL(other.url).host} with --schema-hosts`),
  );
  assert.match(await textAt(home.loader({ hosts }), `${server.url}/a`), /\/a redirects to http.*\/metadata, but schemas are fetched from/);
  assert.equal(other.asked.length, 0);
  // Neither does a cache that somebody else has filled.
  assert.equal(await textAt(home.loader(), `${other.url}/b`), "{}");
  assert.match(await textAt(home.loader({ hosts }), `${other.url}/b`), /schemas are fetched from/);
});

test("a schema that is too long, too slow, or of an unknown authority is refused", async (t) => {
  const home = new Home();
  const long = await serving(t, (_, response) => response.end(" ".repeat(6 * 2 ** 20)));
  assert.match(await textAt(home.loader(), `${long.url}/a`), /is longer than 5 MiB/);
  const strange = await serveHttps(t, (_, response) => response.end("{}"));
  assert.match(await textAt(home.loader(), `${strange.url}/a`), /signed by nobody who is trusted.*SSL_CERT_FILE/);
  const silent = await serveTcp(t, () => undefined, "http");
  home.clock.isLate = true;
  assert.match(await textAt(home.loader(), `${silent.url}/a`), /has not answered in full within 15 s/);
});

test("one rendering fetches 500 schemas, 32 MiB and a minute at most", async (t) => {
  const home = new Home();
  const server = await serving(t, (request, response) => response.end(request.url === "/large" ? `"${"x".repeat(4.5 * 2 ** 20)}"` : "{}"));
  const fetcher = home.fetcher();
  const many = home.loader({ fetcher });
  for (let count = 0; count < 500; count++) assert.equal(await textAt(many, `${server.url}/a`), "{}");
  assert.match(await textAt(many, `${server.url}/a`), /refers to more than 500 schemas; to do without it, skip it$/);
  const large = home.loader({ fetcher });
  for (let count = 0; count < 7; count++) assert.ok(!("problem" in (await large(`${server.url}/large`))));
  assert.match(await textAt(large, `${server.url}/large`), /longer than 32 MiB together/);
  const slow = home.loader({ fetcher });
  home.clock.time += 61_000;
  assert.match(await textAt(slow, `${server.url}/a`), /have not all come within 60 s/);
});

test("an abort ends it, and is no problem of the schema", async (t) => {
  const home = new Home();
  const leaving = new AbortController();
  const server = await serving(t, () => leaving.abort(new Error("gone")));
  await assert.rejects(home.loader({ signal: leaving.signal })(`${server.url}/a`), { message: "gone" });
});
