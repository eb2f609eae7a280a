import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { chromium, type Browser, type Page } from "playwright-core";
import { chromiumVariable, findChromium } from "./find-chromium.ts";
import { PageProblems } from "./page-problems.ts";

export type BrowserTestOptions = {
  /** In pixels. Default 1280. */
  readonly width?: number;
  /** In pixels. Default 800. */
  readonly height?: number;
  /** The system's setting. Default light. */
  readonly scheme?: "light" | "dark";
  /** What may be in a console error without failing the test. Default nothing. */
  readonly allowed?: RegExp;
};

type BrowserTest = (page: Page, t: TestContext) => Promise<void>;

let opened: Promise<Browser> | undefined;
after(async () => (await opened)?.close());

/** One browser for all tests of a file. */
async function browser(): Promise<Browser> {
  const executablePath = process.env[chromiumVariable] ?? (await findChromium((line) => process.stderr.write(`${line}\n`)));
  // Chromium refuses its sandbox to root.
  const args = ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  return chromium.launch({ executablePath, args });
}

/**
 * A test with a page of its own. It fails on any console error, exception, violation of the content security policy and
 * request to another origin. Keeps a screenshot when it fails.
 */
export function browserTest(name: string, options: BrowserTestOptions, body: BrowserTest): void {
  test(name, async (t) => {
    const { width = 1280, height = 800, scheme = "light", allowed } = options;
    const context = await (
      await (opened ??= browser())
    ).newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const problems = await PageProblems.of(page, allowed);
    try {
      await body(page, t);
      assert.deepEqual(problems.found, []);
    } catch (error) {
      const file = join(mkdtempSync(join(tmpdir(), "sluice-browser-")), "failed.png");
      await page.screenshot({ path: file, timeout: 5000 }).catch(() => undefined);
      for (const problem of problems.found) t.diagnostic(problem);
      t.diagnostic(`screenshot: ${file}`);
      throw error;
    } finally {
      await context.close();
    }
  });
}
