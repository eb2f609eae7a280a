import type { Page } from "playwright-core";

type LayoutShift = PerformanceEntry & {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
};

/** How much of a page has moved by itself, as Chromium counts it: 0 for nothing. `what` names what has moved. */
type LayoutShifts = { readonly value: number; readonly what: readonly string[] };

/** Measures from now on what moves by itself. The bars of a timeline are left out: they move with its scale. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<LayoutShifts>> {
  await page.evaluate(() => {
    const shifts = { value: 0, what: [] as string[] };
    Object.assign(globalThis, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as readonly LayoutShift[]) {
        const elements = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement));
        const moved = elements.filter((element) => !element?.closest(".timeline-bars, .timeline-lines, .timeline-ticks"));
        if (hadRecentInput || moved.length === 0) continue;
        shifts.value += value;
        shifts.what.push(`${moved.map((element) => element?.outerHTML.slice(0, 60)).join(" and ")} by ${value.toFixed(4)}`);
      }
    }).observe({ type: "layout-shift", buffered: false });
  });
  return () => page.evaluate(() => (globalThis as unknown as { layoutShifts: LayoutShifts }).layoutShifts);
}
