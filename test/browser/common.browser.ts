/** What holds for every view: no serious finding of axe-core, no console error, no request to another origin. */
import { serveClusters, testFolder } from "../support/command-line.ts";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { serveDashboard } from "./support/served-dashboard.ts";

const { kubeconfig } = await serveClusters(testFolder("browser"));
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);

for (const path of ["/", "/c/sluice/actions"])
  for (const width of [1280, 390])
    for (const scheme of ["light", "dark"] as const)
      browserTest(`${path}, ${width} px, ${scheme}: no serious finding`, { width, scheme }, async (page) => {
        await dashboard.open(page, path);
        await page.waitForSelector("main");
        await assertAccessible(page);
      });

browserTest("the keyboard skips the bar of the page, and the view stays", {}, async (page) => {
  await dashboard.open(page, "/c/sluice/actions");
  await page.getByRole("heading", { name: "Actions" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Open a saved plan" }).and(page.locator(":focus")).waitFor({ timeout: 5_000 });
});
