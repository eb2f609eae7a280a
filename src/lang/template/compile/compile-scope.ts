import type { ReflectType } from "../value/index.ts";

/** A value in compiled code: a JavaScript expression without side effects, and what is known about it. */
export type CompiledExpression = {
  readonly code: string;
  /** Its Go type, if it is known. */
  readonly type?: ReflectType | undefined;
  /** Whether it may be null or undefined. */
  readonly maybeNil: boolean;
  /** It came through a pipeline, where a nil interface becomes the invalid value. */
  readonly piped?: boolean | undefined;
  /** Emits the container of the value and the key under which it was found. Only error messages need the declared type. */
  readonly foundIn?: (() => string) | undefined;
};

/** The names in scope: dot and the variables. */
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

/** The code of a value. A nil interface that came through a pipeline becomes the invalid value. */
export function settledCode({ code, maybeNil, piped }: CompiledExpression): string {
  return maybeNil && piped === true ? `(${code}===null?undefined:${code})` : code;
}
