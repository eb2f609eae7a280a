/** The width of a text in a font of CSS, by the browser. */
export function textMeter(font: string): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return (text) => text.length * 7;
  context.font = font;
  return (text) => context.measureText(text).width;
}
