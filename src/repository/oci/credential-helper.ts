import { spawn } from "node:child_process";
import { Fault } from "../../core/fault/index.ts";
import { stringAt } from "../../core/object/index.ts";
import type { Credential } from "./docker-config.ts";

/** Gets the credentials of a server from `docker-credential-NAME`. Undefined when it has none. */
export async function askHelper(
  name: string,
  server: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Credential | undefined> {
  const program = `docker-credential-${name}`;
  // It comes from a file and becomes the name of a program.
  if (!/^[\w.-]+$/.test(name)) throw helperFault(program, "that is no name of a program");
  const { code, output } = await runHelper(program, server, env, signal);
  if (/credentials not found/i.test(output)) return undefined;
  if (code !== 0) throw helperFault(program, `it failed with exit code ${code}${output.trim() === "" ? "" : `: ${output.trim()}`}`);
  return credentialIn(output, program);
}

function credentialIn(output: string, program: string): Credential | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw helperFault(program, "what it printed is no JSON");
  }
  const [username, secret] = [stringAt(answer, "Username", ""), stringAt(answer, "Secret", "")];
  if (secret === "") return undefined;
  return username === "<token>" ? { kind: "refresh", token: secret } : { kind: "password", username, password: secret };
}

function runHelper(
  program: string,
  input: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["get"], { env: { ...env }, signal, stdio: ["pipe", "pipe", "inherit"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => output.push(piece));
    child.on("error", (error) => reject(signal.aborted ? error : helperFault(program, startError(error))));
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString("utf8") }));
    child.stdin.on("error", () => undefined); // a helper that does not read its input still has output
    child.stdin.end(input);
  });
}

function startError(error: Error): string {
  const missing = "code" in error && error.code === "ENOENT";
  return missing ? "there is no such program: install it, or put it into PATH" : error.message;
}

function helperFault(program: string, because: string): Fault {
  return new Fault(`get credentials from ${program}: ${because}`, undefined, { final: true });
}
