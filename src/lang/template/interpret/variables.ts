import type { Value } from "../value/index.ts";

/** What an element of a range was found in. */
export type Found = { readonly value: Value };

export type Variable = {
  readonly name: string;
  value: Value;
  /** Nothing unless it is an element of a range that is being walked over. */
  foundIn: Found | undefined;
};

/** What templates see at one place while they are executed: dot and the variables, those declared last at the end. */
export class Variables {
  dot: Value;
  dotFoundIn: Found | undefined;
  private readonly declared: Variable[];

  constructor(dot: Value) {
    this.dot = dot;
    this.declared = [{ name: "$", value: dot, foundIn: undefined }];
  }

  declare(name: string, value: Value): void {
    this.declared.push({ name, value, foundIn: undefined });
  }

  find(name: string): Variable | undefined {
    for (let index = this.declared.length - 1; index >= 0; index--) {
      const variable = this.declared[index];
      if (variable?.name === name) return variable;
    }
    return undefined;
  }

  /** How many there are, for `leave`. */
  get mark(): number {
    return this.declared.length;
  }

  /** Forgets those declared since there were so many. */
  leave(mark: number): void {
    this.declared.length = mark;
  }
}
