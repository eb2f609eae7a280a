import { textMeter } from "./measure-text.ts";
import { shorten, visible } from "./shorten.ts";

/** The fonts of a node's texts, the same in SVG and on a canvas. */
export const fonts = {
  title: '600 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  small: '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
} as const;

const known = new Map<string, string>();
const maxKnown = 20_000;
const meters = new Map<keyof typeof fonts, (text: string) => number>();

/** A text that fits a width, shortened in the middle. */
export function fitText(text: string, font: keyof typeof fonts, width: number): string {
  const key = `${font} ${width} ${text}`;
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  const fitting = shorten(visible(text), width, (each) => textWidth(each, font));
  if (known.size > maxKnown) known.clear();
  known.set(key, fitting);
  return fitting;
}

/** The width of a text as it is drawn. */
export function textWidth(text: string, font: keyof typeof fonts): number {
  const meter = meters.get(font) ?? textMeter(fonts[font]);
  meters.set(font, meter);
  return meter(text);
}
