import { signal } from "@preact/signals";
import { agoText } from "./ago-text.ts";

/** The time of the page, in steps: texts such as `5 min ago` change with it. */
export const nowMs = signal(Date.now());

setInterval(() => (nowMs.value = Date.now()), 1000);

/** How long ago something was, with the exact time at hand. */
export function RelativeTime({ ms }: { readonly ms: number }) {
  const date = new Date(ms);
  return (
    <time class="numeric" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {agoText(nowMs.value - ms)}
    </time>
  );
}
