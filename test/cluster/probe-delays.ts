import { spawn } from "node:child_process";
import { once } from "node:events";
import { sleep, type Clock } from "../../src/core/clock/index.ts";

/** Answers requests and does nothing else: it takes as long as the machine makes everybody wait. */
const idleServer = `
const server = require("node:http").createServer((_, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));
process.stdin.on("end", () => process.exit()).resume();
`;

/** How much longer than an idle process a probe took, at most. */
export type ProbeDelays = {
  /** Ends the watch. By page, in milliseconds. */
  end(): Promise<Readonly<Record<string, number>>>;
};

/** Asks pages of a process again and again, and an idle process at the same time: what a busy machine adds, it adds to both. */
export async function watchProbes(
  pages: readonly string[],
  page: (path: string) => Promise<string>,
  clock: Clock,
  everyMs = 250,
): Promise<ProbeDelays> {
  const idle = spawn(process.execPath, ["-e", idleServer], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = (await once(idle.stdout, "data")) as [Buffer];
  const askIdle = async () => (await fetch(`http://127.0.0.1:${String(port)}/`)).text();
  const worst: Record<string, number> = Object.fromEntries(pages.map((path) => [path, 0]));
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const [idleMs, ...times] = await Promise.all([took(askIdle), ...pages.map((path) => took(() => page(path)))]);
      for (const [at, path] of pages.entries()) worst[path] = Math.max(worst[path]!, times[at]! - idleMs!);
      await sleep(clock, everyMs);
    }
  })();
  const ended = watching.finally(() => idle.stdin.end());
  return {
    async end() {
      over.abort();
      await ended;
      return worst;
    },
  };
}

async function took(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}
