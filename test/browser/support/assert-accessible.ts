import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails on a serious or critical finding of axe-core. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(`if (!globalThis.axe) { ${axe} }`);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const found = bad.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ""}`),
  );
  assert.deepEqual(found, []);
}
