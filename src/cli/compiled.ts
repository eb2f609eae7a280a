import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { getAssetKeys, getRawAsset } from "node:sea";
import { constants, Script } from "node:vm";

export type Program = { readonly run: (args: readonly string[]) => Promise<number> };

/** A program in one file of CommonJS, with the code that an engine made of it before, if there is any. */
type CompiledProgram = {
  readonly script: Script;
  /** Runs the file, and gives what it exports. */
  readonly load: () => unknown;
};

type Wrapped = (exports: unknown, require: NodeJS.Require, module: { exports: unknown }, file: string, folder: string) => void;

/** Where the code of a program is kept: for engines on machines of this kind. */
export function codeCacheFileOf(file: string): string {
  return `${file}.${process.platform}-${process.arch}.code`;
}

/** The program of that name inside of the executable that this is. */
export function programInside(name: string): Program {
  const code = codeCacheFileOf(name);
  const file = join(dirname(process.execPath), name);
  return compiled(file, inside(name).toString("latin1"), getAssetKeys().includes(code) ? inside(code) : undefined).load() as Program;
}

function inside(key: string): Buffer {
  return Buffer.from(getRawAsset(key));
}

/** The program of that name beside the bundle, with its code; nothing from source, or if its code is for another engine. */
export function programBeside(folder: string, name: string): Program | undefined {
  const file = join(folder, name);
  if (!existsSync(codeCacheFileOf(file))) return undefined;
  const program = loadCompiledProgram(file);
  return program.script.cachedDataRejected === true ? undefined : (program.load() as Program);
}

/** A program from its file, with the code beside it: an engine that does not take it sets `script.cachedDataRejected`. */
export function loadCompiledProgram(file: string): CompiledProgram {
  const code = codeCacheFileOf(file);
  return compiled(file, readFileSync(file, "latin1"), existsSync(code) ? readFileSync(code) : undefined);
}

/** Bundles are ASCII throughout: read as such, a text takes no more room than its file. */
function compiled(file: string, text: string, cachedData: Buffer | undefined): CompiledProgram {
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, {
    // Kept code has it inside, and is to be the same wherever it was made.
    filename: basename(file),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const load = (): unknown => {
    const module = { exports: {} };
    const wrapped = script.runInThisContext() as Wrapped;
    wrapped(module.exports, createRequire(file), module, file, dirname(file));
    return module.exports;
  };
  return { script, load };
}
