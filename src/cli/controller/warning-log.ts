import { finalizers } from "../../sveltos/api/index.ts";

/** How many different warnings are logged at most. Warnings may contain object names, so their number has no other bound. */
const maxWarnings = 100;

/** API servers prefer finalizers with a path. The names are Sveltos' own and cannot change: others know objects by them. */
const expected = new Set(
  Object.values(finalizers).map(
    (name) =>
      `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
  ),
);

/** Logs warnings of an API server, which repeats the same one for every write of a kind: each once. */
export function warningLog(write: (warning: string) => void): (warning: string) => void {
  const logged = new Set<string>();
  return (warning) => {
    if (expected.has(warning) || logged.has(warning) || logged.size >= maxWarnings) return;
    logged.add(warning);
    write(warning);
  };
}
