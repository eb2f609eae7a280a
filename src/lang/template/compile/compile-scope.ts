import type { ReflectType } from "../value/index.ts";

/**
 * A value in compiled code: a JavaScript expression without side effects, and what is known of it.
 */
export type CompiledExpression = {
  readonly code: string;
  /** Its Go type, where that is certain. */
  readonly type?: ReflectType | undefined;
  /** May it be null or undefined? */
  readonly maybeNil: boolean;
  /** It came through a pipeline: a null in it counts as the invalid value. */
  readonly piped?: boolean | undefined;
  /** Gives code for what it was found in, and for the name under which: only error texts ask, for the declared type. */
  readonly foundIn?: (() => string) | undefined;
};

/** The names that templates see at one place: dot and the variables. */
export class CompileScope {
  readonly dot: CompiledExpression;
  readonly #parent: CompileScope | undefined;
  readonly #variables = new Map<string, CompiledExpression>();

  constructor(dot: CompiledExpression, parent?: CompileScope) {
    this.dot = dot;
    this.#parent = parent;
  }

  inner(dot: CompiledExpression = this.dot): CompileScope {
    return new CompileScope(dot, this);
  }

  declare(name: string, variable: CompiledExpression): void {
    this.#variables.set(name, variable);
  }

  find(name: string): CompiledExpression | undefined {
    return this.#variables.get(name) ?? this.#parent?.find(name);
  }
}

/** The code of a value whose null counts as the invalid value if it came through a pipeline. */
export function settledCode({ code, maybeNil, piped }: CompiledExpression): string {
  return maybeNil && piped === true ? `(${code}===null?undefined:${code})` : code;
}
