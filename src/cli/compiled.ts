import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getAssetKeys, getRawAsset } from "node:sea";
import { constants, Script } from "node:vm";

export type Program = { readonly run: (args: readonly string[]) => Promise<number> };

/** Reads a file of a program by its name; undefined where there is none. */
type ReadFile = (name: string) => Buffer | undefined;

type Wrapped = (exports: unknown, require: (id: string) => unknown, module: { exports: unknown }, file: string, folder: string) => void;

/** Under which name the code of a file is kept: for engines on machines of this kind. */
export function codeCacheFileOf(file: string): string {
  return `${file}.${process.platform}-${process.arch}.code`;
}

/**
 * A program in files of CommonJS that require each other. Each is loaded with the code that an engine made of it before, if there
 * is any. Node's own cache has no code of functions, which are compiled when they are first called.
 */
class CompiledProgram {
  /** What was loaded so far, by the name of its file. An engine that does not take kept code sets `cachedDataRejected`. */
  readonly scripts = new Map<string, Script>();
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #folder: string;
  readonly #readFile: ReadFile;
  readonly #require: NodeJS.Require;

  constructor(folder: string, readFile: ReadFile) {
    this.#folder = folder;
    this.#readFile = readFile;
    this.#require = createRequire(join(folder, "program"));
  }

  /** Compiles a file, and does not run it. */
  compile(name: string): Script {
    const text = this.#readFile(name);
    if (text === undefined) throw new Error(`load ${name} of this program: there is no such file in ${this.#folder}: install it anew`);
    const cachedData = this.#readFile(codeCacheFileOf(name));
    // Bundles are ASCII throughout: read as such, a text takes no more room than its file.
    const script = new Script(`(function(exports,require,module,__filename,__dirname){${text.toString("latin1")}\n})`, {
      // Kept code has it inside, and is to be the same wherever it was made.
      filename: name,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    this.scripts.set(name, script);
    return script;
  }

  /** Runs a file that was not run before, and gives what it exports. */
  load(name: string): unknown {
    const loaded = this.#modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const wrapped = (this.scripts.get(name) ?? this.compile(name)).runInThisContext() as Wrapped;
    const require = (id: string): unknown => (id.startsWith("./") ? this.load(id.slice(2)) : this.#require(id));
    wrapped(module.exports, require, module, join(this.#folder, name), this.#folder);
    return module.exports;
  }
}

/** The program of that name inside of the executable that this is. */
export function programInside(name: string): Program {
  const names = new Set(getAssetKeys());
  const read: ReadFile = (key) => (names.has(key) ? Buffer.from(getRawAsset(key)) : undefined);
  return new CompiledProgram(dirname(process.execPath), read).load(name) as Program;
}

/** The program of that name beside the bundle, with its code; nothing from source, or if its code is for another engine. */
export function programBeside(folder: string, name: string): Program | undefined {
  if (!existsSync(codeCacheFileOf(join(folder, name)))) return undefined;
  const program = programIn(folder);
  return program.compile(name).cachedDataRejected === true ? undefined : (program.load(name) as Program);
}

/** A program whose files are in a folder. */
export function programIn(folder: string): CompiledProgram {
  return new CompiledProgram(folder, (name) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file) : undefined;
  });
}
