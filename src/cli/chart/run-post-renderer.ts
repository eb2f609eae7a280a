import { spawn } from "node:child_process";
import { Fault } from "../../core/fault/index.ts";

/** More than any chart renders to. */
const maxOutputBytes = 256 * 2 ** 20;
/** How much of the program's standard error is shown. */
const maxErrorCharacters = 4096;

/** Runs a post-renderer: manifests go to its standard input, and its standard output replaces them. */
export function runPostRenderer(command: string, args: readonly string[], manifests: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const refuse = (because: string) => reject(new Fault(`error while running post render on files: ${because}`, undefined, { final: true }));
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], signal });
  const pieces: Buffer[] = [];
  let size = 0;
  let complaint = "";
  child.stdout.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size <= maxOutputBytes) return void pieces.push(piece);
    child.kill();
    refuse(`${command} wrote more than ${maxOutputBytes} bytes`);
  });
  child.stderr.on("data", (piece: Buffer) => (complaint = (complaint + piece.toString("utf8")).slice(0, maxErrorCharacters)));
  // A program may answer without having read all of its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(manifests);
  child.on("error", (error) => (signal.aborted ? reject(error) : refuse(`${command}: ${errorText(error)}`)));
  child.on("close", (code, by) => {
    const output = Buffer.concat(pieces).toString("utf8");
    if (code !== 0) refuse(`error while running command ${command}. error output:\n${complaint}: ${exitText(code, by)}`);
    else if (output.trim() === "") refuse(`post-renderer "${command}" produced empty output`);
    else resolve(output);
  });
  return promise;
}

function exitText(code: number | null, by: string | null): string {
  return by === null ? `exit status ${code}` : `signal: ${by}`;
}

function errorText(error: Error): string {
  return "code" in error && error.code === "ENOENT" ? "there is no such program" : error.message;
}
