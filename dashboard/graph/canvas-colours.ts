import type { State } from "../component/state-badge.tsx";

/** The colours of CSS that a canvas is drawn with. */
export type CanvasColours = {
  readonly states: Readonly<Record<State, string>>;
  readonly grounds: Readonly<Record<State, string>>;
  readonly surface: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly textQuiet: string;
  readonly accent: string;
  readonly critical: string;
  readonly chain: string;
};

const states: readonly State[] = ["ready", "progressing", "waiting", "failed", "skipped", "gone"];

/** Reads the colours that hold for an element now. */
export function canvasColours(element: Element): CanvasColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim() || "gray";
  const byState = (nameOf: (state: State) => string) =>
    Object.fromEntries(states.map((state) => [state, colour(nameOf(state))])) as Record<State, string>;
  return {
    states: byState((state) => state),
    grounds: byState((state) => `${state}-ground`),
    surface: colour("surface"),
    line: colour("line"),
    lineStrong: colour("line-strong"),
    text: colour("text"),
    textQuiet: colour("text-quiet"),
    accent: colour("accent"),
    critical: colour("critical"),
    chain: style.getPropertyValue("--chain").trim() || colour("failed"),
  };
}
