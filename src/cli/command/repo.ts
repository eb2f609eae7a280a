import { addAbortSignal } from "node:stream";
import { Fault } from "../../core/fault/index.ts";
import { readTextStream } from "../../core/file/index.ts";
import {
  addRepository,
  listRepositories,
  removeRepositories,
  updateRepositories,
  updateText,
  type Repository,
} from "../../repository/index.ts";
import { table } from "../../view/index.ts";
import { checkAccessFlags, repositoryEnvironment } from "../chart/repository-access.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { RepoAddFlags } from "../command-group/chart.ts";

/** Adds a repository after its index could be fetched. */
export async function addRepo(name: string, url: string, options: RepoAddFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { forceUpdate, passwordStdin: _passwordStdin, timeout: _timeout, ...access } = options;
  checkAccessFlags(access);
  const password = access.password ?? (await passwordFrom(options, signal));
  const repository: Repository = { ...access, ...(password === undefined ? {} : { password }), name, url };
  const result = await addRepository(repository, { forceUpdate }, repositoryEnvironment(options, terminal, signal));
  terminal.out(
    result === "added"
      ? `${JSON.stringify(name)} has been added to your repositories`
      : `${JSON.stringify(name)} already exists with the same configuration, skipping`,
  );
  return exitCodes.ok;
}

async function passwordFrom({ username, passwordStdin }: RepoAddFlags, signal: AbortSignal): Promise<string | undefined> {
  if (passwordStdin) return (await readTextStream(addAbortSignal(signal, process.stdin))).replace(/\r?\n$/, "");
  if (username === undefined) return undefined;
  throw new UsageFault("--username needs a --password, or --password-stdin", undefined, { final: true });
}

export async function listRepos(
  { output }: { readonly output: "table" | "json" | "yaml" },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const repositories = listRepositories(repositoryEnvironment({}, terminal, signal)).map(({ name, url }) => ({ name, url }));
  if (output !== "table") terminal.out(formatOutput(repositories, output));
  else if (repositories.length === 0) terminal.err("no repositories to show");
  else
    for (const line of table(
      ["NAME", "URL"],
      repositories.map(({ name, url }) => [name, url]),
    ))
      terminal.out(line);
  return exitCodes.ok;
}

/** Downloads indexes again. Fails at the end, when all others are updated. */
export async function updateRepos(
  names: readonly string[],
  options: { readonly timeout: number },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const environment = repositoryEnvironment(options, terminal, signal);
  const updates = await updateRepositories(names, (updated) => terminal.out(updateText(updated)), environment);
  const failed = updates.filter(({ error }) => error !== undefined).map(({ repository }) => repository.url);
  if (failed.length > 0) throw new Fault(`failed to update the following repositories: [${failed.join(" ")}]`, undefined, { final: true });
  return exitCodes.ok;
}

export async function removeRepos(names: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  await removeRepositories(names, repositoryEnvironment({}, terminal, signal));
  for (const name of names) terminal.out(`${JSON.stringify(name)} has been removed from your repositories`);
  return exitCodes.ok;
}
