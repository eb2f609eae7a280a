import { LruCache } from "../../core/cache/index.ts";
import type { FunctionTable } from "./value/index.ts";
import { builtins } from "./builtin/index.ts";
import { parseText } from "./parse/parser.ts";
import { templateProgramOf } from "./template-program.ts";
import type { TemplateProgram } from "./run/exec-state.ts";
import { TemplateSet, type SetOptions } from "./template-set.ts";

/** The programs of one text. They do not depend on the name it is parsed under. */
type CompiledText = {
  readonly main: TemplateProgram;
  readonly defined: readonly (readonly [name: string, program: TemplateProgram])[];
  /** About how much memory it takes. */
  readonly bytes: number;
};

/**
 * A token takes 60 bytes in trees, and as much again once its template is compiled and has run: measured over the templates of
 * 265 public charts. Plain text takes its own length.
 */
const bytesPerToken = 96;
const defaultMaxCachedBytes = 2 ** 26;
/** ADR 12 has the measurements behind this number. */
const defaultCompileAfter = 50;

type EngineOptions = {
  /** How many executions are interpreted before a template is compiled. The output is the same. Default: 50. */
  readonly compileAfter?: number;
  /** About how much memory parsed and compiled templates may keep. Default: 64 MiB. */
  readonly maxCachedBytes?: number;
};

/**
 * Templates with a function table. Texts are parsed and compiled once per engine, by content: keep one engine per function table
 * and create a set for each execution.
 */
export class Engine {
  readonly #functions: FunctionTable;
  readonly #texts: LruCache<string, CompiledText>;
  readonly #compileAfter: number;

  constructor(functions: FunctionTable = {}, options: EngineOptions = {}) {
    this.#functions = functions;
    this.#texts = new LruCache({ maxWeight: options.maxCachedBytes ?? defaultMaxCachedBytes, weightOf: (_, { bytes }) => bytes });
    this.#compileAfter = options.compileAfter ?? defaultCompileAfter;
  }

  /** Creates an empty set of templates. */
  set(options: SetOptions = {}): TemplateSet {
    return new TemplateSet(this, options);
  }

  /** The programs of a text. The name is for parse errors. */
  compile(name: string, text: string): CompiledText {
    return this.#texts.getOrCreate(text, () => this.#parse(name, text));
  }

  #parse(name: string, text: string): CompiledText {
    const { main, defined, tokens } = parseText(name, text, (word) => this.#hasFunction(word));
    const callables = { functions: this.#functions, builtins };
    return {
      main: templateProgramOf(main, callables, this.#compileAfter),
      defined: defined.map((tree) => [tree.name ?? "", templateProgramOf(tree, callables, this.#compileAfter)] as const),
      bytes: text.length + bytesPerToken * tokens,
    };
  }

  #hasFunction(name: string): boolean {
    return Object.hasOwn(this.#functions, name) || Object.hasOwn(builtins, name);
  }
}
