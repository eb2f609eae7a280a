import type { Page } from "playwright-core";

/** Drags the graph on every frame, and counts frames. */
export async function panFrames(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const frame = document.querySelector(".graph-frame")!;
        const { left, top } = frame.getBoundingClientRect();
        const send = (type: string, at: number) =>
          frame.dispatchEvent(
            new PointerEvent(type, { clientX: left + 300 - at, clientY: top + 200 - at, button: 0, bubbles: true, pointerId: 1 }),
          );
        // A pointer that nobody holds cannot be captured.
        frame.setPointerCapture = () => undefined;
        send("pointerdown", 0);
        const startedAt = performance.now();
        let count = 0;
        const step = () => {
          const passed = performance.now() - startedAt;
          if (passed > 2000) {
            send("pointerup", 0);
            return resolve((count * 1000) / passed);
          }
          count++;
          send("pointermove", 10 + 100 * Math.sin(passed / 200));
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
}
