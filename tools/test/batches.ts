/** Test files that share a process. */
export type Batch = { readonly files: readonly string[]; readonly seeded: boolean };

/**
 * Starting a process costs a tenth of a second of CPU, and a second where it loads the whole program. A dozen files share that,
 * and a hang or crash still names few files.
 */
const filesPerProcess = 12;

/** Files that start processes, send signals, change the environment, or have hooks around every test: those would be everybody's. */
const ownProcess = /"node:child_process"|process\.(chdir|emit|kill|once|on)\(|process\.env(\.\w+|\[[^\]]+\]) = |^(before|after)Each\(/m;

/** Files that run commands load the whole program. */
const wholeProgram = 'support/command-line.ts"';

/**
 * Puts files of one kind into batches. Property tests have batches of their own, since they alone load fast-check, and so have
 * tests of commands. Scenarios and what needs a process of its own come first, so that no long one is left for the end.
 */
export function batchesOf(files: readonly string[], textOf: (file: string) => string): Batch[] {
  const heavy: Batch[] = [];
  const plain: string[] = [];
  const commands: string[] = [];
  const generating: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    const seeded = text.includes('from "fast-check"');
    if (file.startsWith("test/") || ownProcess.test(text)) heavy.push({ files: [file], seeded });
    else if (seeded) generating.push(file);
    else (text.includes(wholeProgram) ? commands : plain).push(file);
  }
  return [...heavy, ...inBatches(commands, false), ...inBatches(plain, false), ...inBatches(generating, true)];
}

function inBatches(files: readonly string[], seeded: boolean): Batch[] {
  const batches: Batch[] = [];
  for (let at = 0; at < files.length; at += filesPerProcess) batches.push({ files: files.slice(at, at + filesPerProcess), seeded });
  return batches;
}
