import assert from "node:assert/strict";
import { after } from "node:test";
import type { Cookie, Page } from "playwright-core";
import { run } from "../../../src/cli/program.ts";
import { plainPaint } from "../../../src/view/index.ts";

/** Runs `sluice dashboard` with these flags until all tests of the file have ended. */
export async function serveDashboard(...flags: readonly string[]): Promise<ServedDashboard> {
  const found = Promise.withResolvers<string>();
  const lines: string[] = [];
  const out = (line: string) => {
    lines.push(line);
    const [url] = /https?:\/\/127\.0\.0\.1:\d+\S*/.exec(line) ?? [];
    if (url !== undefined) found.resolve(url);
  };
  const serving = run(["dashboard", "--port", "0", ...flags], { out, err: (line) => lines.push(line), paint: plainPaint });
  after(async () => {
    process.emit("SIGINT");
    assert.equal(await serving, 0);
  });
  const ended = serving.then((code) => assert.fail(`sluice dashboard ended with ${code}: ${lines.join("\n")}`));
  return new ServedDashboard(await Promise.race([found.promise, ended]));
}

/** A dashboard that is served as `sluice dashboard` does it. */
class ServedDashboard {
  /** The address that signs in. It is good once. */
  readonly url: string;
  readonly #origin: string;
  #cookies: Promise<readonly Cookie[]> | undefined;

  constructor(url: string) {
    this.url = url;
    this.#origin = new URL(url).origin;
  }

  /** Opens a path in a page, signed in. The first page signs in by the address; the others share its session. */
  async open(page: Page, path: string): Promise<void> {
    if (this.#cookies === undefined) await (this.#cookies = this.#signIn(page));
    else await page.context().addCookies([...(await this.#cookies)]);
    await page.goto(this.#origin + path);
  }

  async #signIn(page: Page): Promise<readonly Cookie[]> {
    await page.goto(this.url);
    await page.waitForSelector("main");
    return page.context().cookies();
  }
}
