/** Test files that share a process. */
export type Batch = { readonly files: readonly string[]; readonly seeded: boolean };

/**
 * A process costs a second of CPU where it loads the whole program. Three dozen files share that. A hang or crash names the test
 * that it happened in.
 */
const filesPerProcess = 36;

/** Tests of the whole tree are few and long: in small batches they are spread over all processes. */
const wholeTreeFilesPerProcess = 5;

/** Files that send signals, change the environment, or have hooks around every test: those would be everybody's. */
const ownProcess = /process\.(chdir|emit|kill|once|on)\(|process\.env(\.\w+|\[[^\]]+\]) = |^(before|after)Each\(/m;

/** Files that run commands load the whole program. */
const wholeProgram = 'support/command-line.ts"';

/**
 * Puts files of one kind into batches. Property tests have batches of their own, since they alone load fast-check, and so have
 * tests of commands. What takes longest comes first, so that no long batch is left for the end: among files of one kind that is
 * the last by path, since `sveltos` and `release` use all that `chart` and `core` are made of.
 */
export function batchesOf(files: readonly string[], textOf: (file: string) => string): Batch[] {
  const own: Batch[] = [];
  const wholeTree: string[] = [];
  const plain: string[] = [];
  const commands: string[] = [];
  const generating: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    const seeded = text.includes('from "fast-check"');
    if (ownProcess.test(text)) own.push({ files: [file], seeded });
    else if (seeded) generating.push(file);
    else if (file.startsWith("test/")) wholeTree.push(file);
    else (text.includes(wholeProgram) ? commands : plain).push(file);
  }
  return [
    ...own,
    ...inBatches(wholeTree, wholeTreeFilesPerProcess, false),
    ...inBatches(commands, filesPerProcess, false),
    ...inBatches(generating, filesPerProcess, true).toReversed(),
    ...inBatches(plain, filesPerProcess, false).toReversed(),
  ];
}

function inBatches(files: readonly string[], size: number, seeded: boolean): Batch[] {
  const batches: Batch[] = [];
  for (let at = 0; at < files.length; at += size) batches.push({ files: files.slice(at, at + size), seeded });
  return batches;
}
