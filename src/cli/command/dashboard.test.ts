import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { bundlePage } from "../../../tools/build/bundle-page.ts";
import { run } from "../program.ts";
import { plainPaint } from "../../view/index.ts";

const { kubeconfig } = await serveClusters(testFolder("dashboard"));

/** Runs the command until all tests have ended, and returns the first line that it prints. */
async function serve(...flags: readonly string[]): Promise<string> {
  const first = Promise.withResolvers<string>();
  const serving = run(["dashboard", "--kubeconfig", kubeconfig, ...flags], { out: first.resolve, err: () => undefined, paint: plainPaint });
  after(async () => {
    process.emit("SIGINT");
    assert.equal(await serving, 0);
  });
  return first.promise;
}

const json = { "content-type": "application/json" };

test("the printed address is traded for a session of all contexts, and answers to its own names only", async () => {
  const line = await serve();
  const [, origin = "", port = "", code = ""] = /^ready (http:\/\/127\.0\.0\.1:(\d+))\/#code=([\w-]{43})$/.exec(line) ?? [];
  const answer = await fetch(`${origin}/api/session`, { method: "POST", headers: json, body: JSON.stringify({ code }) });
  assert.equal(answer.status, 200);
  const session = (await answer.json()) as { contexts: readonly { name: string; current: boolean }[] };
  assert.deepEqual(
    session.contexts.map(({ current }) => current),
    [true],
  );
  assert.match(
    answer.headers.get("set-cookie") ?? "",
    new RegExp(`^sluice-session-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  const again = await fetch(`${origin}/api/session`, { method: "POST", headers: json, body: JSON.stringify({ code }) });
  assert.equal(again.status, 401);
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${origin}/api/session`, { headers: { host } }, (got) => resolve(got.resume().statusCode))
        .on("error", reject)
        .end();
    });
  assert.equal(await statusFor(`localhost:${port}`), 200);
  assert.equal(await statusFor(`[::1]:${port}`), 200);
  assert.equal(await statusFor("localhost"), 421);
  assert.equal(await statusFor(`evil.example:${port}`), 421);
});

test("visitors bring their own tokens, and those of the kubeconfig are not used", async () => {
  const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(await serve("--sign-in", "token", "--hosts", "dash.example")) ?? [];
  const answer = await fetch(`${origin}/api/session`, { method: "POST", headers: json, body: JSON.stringify({ token: "wrong" }) });
  assert.equal(answer.status, 401);
  assert.match(((await answer.json()) as { message: string }).message, /does not accept this token/);
});

for (const [flags, message] of [
  [["--context", "nowhere"], /nowhere/],
  [["--address", ":8443"], /add --sign-in token/],
  [["--sign-in", "token", "--tls-cert", "a.pem"], /--tls-cert and --tls-key go together/],
  [["--sign-in", "token", "--tls-cert", "/none/a.pem", "--tls-key", "/none/b.pem"], /read the certificate \/none\/a.pem/],
] as const) {
  test(`sluice dashboard ${flags.join(" ")} is refused`, async () => {
    const { code, err } = await runSluice("dashboard", "--kubeconfig", kubeconfig, ...flags);
    assert.notEqual(code, 0);
    assert.match(err, message);
  });
}

test("the first page has at most 200 KB, compressed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
  await bundlePage(folder);
  const sizes = readdirSync(folder).map((name) => brotliCompressSync(readFileSync(join(folder, name))).length);
  rmSync(folder, { recursive: true });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`the page has ${Math.round(total / 1000)} KB, compressed`);
  assert.ok(sizes.length >= 4 && total <= 200_000, `${total} bytes`);
});
