/** An error that states what was being done, outermost first: `apply web: read manifests: web.yaml:3: bad indent`. */
export class Fault extends Error {
  /** Retrying cannot help: the input has to change first. */
  readonly final: boolean;

  constructor(doing: string, cause?: unknown, options: { final?: boolean } = {}) {
    super(cause === undefined ? doing : `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "Fault";
    this.final = options.final ?? (cause instanceof Fault && cause.final);
  }
}

/** Runs `work`. What it throws is wrapped in a Fault that begins with `what`. */
export async function doing<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Fault(what, cause);
  }
}

/** Ends a switch over a union: a forgotten member does not compile. */
export function unreachable(value: never): never {
  throw new TypeError(`unreachable: ${JSON.stringify(value)}`);
}
