/** How something is. Each state has a shape and a word, so that nobody depends on colours. */
export type State = "ready" | "progressing" | "waiting" | "failed" | "skipped" | "gone";

/** Paths in a square of 16. */
const shapes: Readonly<Record<State, string>> = {
  ready: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1",
  progressing: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m0 2v10A5 5 0 0 1 8 3",
  waiting: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m0 2a5 5 0 1 1 0 10A5 5 0 0 1 8 3",
  failed: "M8 1 16 15H0z",
  skipped: "M8 0 16 8 8 16 0 8zm0 3L3 8l5 5 5-5z",
  gone: "M3 1 8 6l5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5-5-5z",
};

/** The path of a state's shape in a square of 16, for whoever draws it in a larger picture. */
export function shapeOf(state: State): string {
  return shapes[state];
}

/** The shape alone. */
export function StateShape({ state }: { readonly state: State }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" fill="currentColor" fill-rule="evenodd">
      <path d={shapes[state]} />
    </svg>
  );
}

/** The shape and the word of a state; `word` says it more precisely, such as `deployed`. */
export function StateBadge({ state, word = state }: { readonly state: State; readonly word?: string }) {
  return (
    <span class={`state state-${state}`}>
      <StateShape state={state} />
      {word}
    </span>
  );
}
