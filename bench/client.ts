/**
 * What the client costs beyond the minimum in Node: CPU of this process per GET, per watch event and per listed object,
 * compared with bare node:http2 and JSON.parse. The server is a process of its own, so that only the client is measured.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { fileURLToPath } from "node:url";
import { RealClock } from "../src/core/clock/index.ts";
import { connect, openTransport, type Cluster } from "../src/kube/index.ts";
import { reportNote, reportAtMost } from "./report.ts";

const rounds = 5;
const gets = 2000;
const events = 6000;
const objects = 10_000;
const together = 16;
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const base = "/apis/apps/v1/namespaces/default/deployments";

type Side = () => Promise<void>;

/** Runs the benchmark and prints one line for each ratio. */
export async function benchClient(): Promise<void> {
  const server = fork(fileURLToPath(new URL("client-server.ts", import.meta.url)), { stdio: "inherit" });
  try {
    const [{ port, authority }] = (await once(server, "message")) as [{ port: number; authority: string }];
    await measure(`https://127.0.0.1:${port}`, authority);
  } finally {
    await stop(server);
  }
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, "exit");
  server.kill();
  await exited;
}

async function measure(url: string, authority: string): Promise<void> {
  const transport = openTransport({ server: url, authority }, new RealClock());
  const cluster = connect(transport.exchange);
  const session = connectHttp2(url, { ca: authority });
  try {
    const ref = { ...deployments, namespace: "default", name: "web-1" };
    await compare("CPU per GET", gets, 1.5, {
      ours: () => inParallel(gets, async () => void (await cluster.get(ref))),
      bare: () => inParallel(gets, async () => void JSON.parse(await bareGet(session, `${base}/web-1`))),
    });
    await compare("CPU per watch event", events, 1.5, { ours: () => watchOurs(cluster), bare: () => watchBare(session) });
    await compare(`CPU of a list of ${objects} objects of 3.5 KB`, 1, 1.3, {
      ours: async () => void (await cluster.list(deployments)),
      bare: () => listBare(session),
    });
  } finally {
    transport.close();
    session.destroy();
  }
}

async function compare(name: string, count: number, goal: number, sides: { ours: Side; bare: Side }): Promise<void> {
  const best = { ours: Infinity, bare: Infinity };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ["bare", "ours"] as const) {
      const used = await cpuOf(sides[side]);
      if (round > 0) best[side] = Math.min(best[side], used); // the first round warms up
    }
  }
  const each = (micros: number) => (count === 1 ? `${(micros / 1000).toFixed(0)} ms` : `${(micros / count).toFixed(1)} µs`);
  reportAtMost(`${name}, times of bare node:http2`, best.ours / best.bare, goal);
  reportNote(name, `${each(best.ours)}, bare ${each(best.bare)}`);
}

async function cpuOf(side: Side): Promise<number> {
  const before = process.cpuUsage();
  await side();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: together }, worker));
}

function bareGet(session: ClientHttp2Session, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path, accept: "application/json" });
    const pieces: Buffer[] = [];
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    stream.on("error", reject);
  });
}

async function watchOurs(cluster: Cluster): Promise<void> {
  let seen = 0;
  for await (const _ of cluster.watch(deployments, { namespace: "default", resourceVersion: "1" })) if (++seen === events) return;
}

function watchBare(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": `${base}?watch=true`, accept: "application/json" });
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (piece: string) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) JSON.parse(line);
    });
    stream.on("end", resolve);
    stream.on("error", reject);
  });
}

/** The same requests, page by page: transfer, parse and keep, as any list must. */
async function listBare(session: ClientHttp2Session): Promise<void> {
  const pages: unknown[] = [];
  let token = "";
  do {
    const path = `/apis/apps/v1/deployments?limit=500${token === "" ? "" : `&continue=${token}`}`;
    const page = JSON.parse(await bareGet(session, path)) as { metadata: { continue?: string } };
    pages.push(page);
    token = page.metadata.continue ?? "";
  } while (token !== "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchClient();
