import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { constants, Script } from "node:vm";

/** A program in one file of CommonJS, with the code that an engine made of it before, if there is any. */
type CompiledProgram = {
  readonly script: Script;
  /** Runs the file, and gives what it exports. */
  readonly load: () => unknown;
};

type Wrapped = (exports: unknown, require: NodeJS.Require, module: { exports: unknown }, file: string, folder: string) => void;

/** Where the code of a program is kept. */
export function codeCacheFileOf(file: string): string {
  return `${file}.code`;
}

/**
 * Takes a program from its file, without compiling what was compiled when it was built. An engine other than the one that
 * built it does not take that code: `script.cachedDataRejected` tells.
 */
export function loadCompiledProgram(file: string): CompiledProgram {
  const code = codeCacheFileOf(file);
  // Bundles are ASCII throughout: read as such, they take no more room than in the file.
  const text = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, "latin1")}\n})`;
  const script = new Script(text, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(existsSync(code) ? { cachedData: readFileSync(code) } : {}),
  });
  const load = (): unknown => {
    const module = { exports: {} };
    const wrapped = script.runInThisContext() as Wrapped;
    wrapped(module.exports, createRequire(file), module, file, dirname(file));
    return module.exports;
  };
  return { script, load };
}

/** The program that renders, as it lies beside the bundle; nothing from source, or if its code is for another engine. */
export function loadCompiledRenderer(folder: string): CompiledProgram | undefined {
  const file = join(folder, "render.cjs");
  if (!existsSync(codeCacheFileOf(file))) return undefined;
  const renderer = loadCompiledProgram(file);
  return renderer.script.cachedDataRejected === true ? undefined : renderer;
}
