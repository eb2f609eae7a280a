import type { CompileRule } from "../schema/index.ts";

/** Compiles the rules of `x-kubernetes-validations`. */
export const compileRule: CompileRule = () => () => true;
