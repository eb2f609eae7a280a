/**
 * What `sluice cluster` needs as it grows, beside kube-apiserver with etcd: memory with 10,000 Pods, and how much dearer a request
 * is beside these than beside 500; and the memory and CPU of 100 idle clusters in one process.
 */
import { loadavg } from "node:os";
import type { ApiConnection } from "./api-client.ts";
import { applyPods, createPods, getPods, idleShareOf, listed, measureOperation, preparePods, type Operation } from "./api-operation.ts";
import { openEmbeddedSide, withApiSides, type ApiSide } from "./api-side.ts";
import { reportAtMost, reportNote } from "./report.ts";

const many = 10_000;
const clusters = 100;
const creates = 300;
const settleMs = 10_000;
/** The growth up to which a cost counts as constant. */
const flat = 1.2;

/** Runs the benchmark and prints each figure beside its goal. */
export async function benchApiSize(): Promise<void> {
  await benchIdleClusters();
  await withApiSides(async ({ embedded, real }) => {
    const ours = await grow("embedded", embedded, flat);
    const theirs = await grow("real", real);
    reportAtMost(`memory with ${many} Pods, times of kube-apiserver and etcd`, ours / theirs, 0.5, "x");
    reportNote("memory", `embedded ${ours.toFixed(0)} MiB; real ${theirs.toFixed(0)} MiB`);
  });
  reportNote("load of the machine", loadavg()[0]!.toFixed(1));
}

async function benchIdleClusters(): Promise<void> {
  const side = await openEmbeddedSide(["--clusters", String(clusters)]);
  try {
    await idleShareOf(side, settleMs);
    const share = await idleShareOf(side, settleMs);
    reportAtMost(`${clusters} idle clusters in one process: memory`, side.residentMiB(), 1024, " MiB");
    reportAtMost(`${clusters} idle clusters in one process: CPU`, share * 100, 5, " % of a core");
  } finally {
    await side.stop();
  }
}

/** The CPU of each request, and of a list of all Pods in pages for each Pod. */
type Costs = Readonly<Record<"get" | "create" | "apply" | "a Pod of a list in pages", number>>;

/** Measures requests beside few Pods and beside many, and returns the memory with many. */
async function grow(name: string, side: ApiSide, goal?: number): Promise<number> {
  await preparePods(side);
  const idle = await idleShareOf(side);
  await costsOf(side, idle); // the first ones warm up
  const few = await costsOf(side, idle);
  const created = listed + 2 * creates;
  await measureOperation(side, "JSON", createPods(many - created, "JSON"), idle);
  await idleShareOf(side, settleMs);
  const residentMiB = side.residentMiB();
  const beside = await costsOf(side, idle);
  for (const what of Object.keys(few) as (keyof Costs)[]) {
    const growth = beside[what] / few[what];
    const line = `${name}: ${what}, CPU beside ${many} Pods, times beside ${created}`;
    if (goal === undefined) reportNote(line, `${growth.toFixed(2)}x`);
    else reportAtMost(line, growth, goal, "x");
  }
  return residentMiB;
}

async function costsOf(side: ApiSide, idle: number): Promise<Costs> {
  const cpuMsOf = async (operation: Operation) => (await measureOperation(side, "JSON", operation, idle)).cpuMs;
  let seen = 0;
  const pages: Operation = { name: "list", count: 3, send: async (connection) => void (seen += await listInPages(connection)) };
  const listCpuMs = (await cpuMsOf(pages)) * pages.count;
  return {
    get: await cpuMsOf(getPods(1000)),
    "a Pod of a list in pages": listCpuMs / seen,
    create: await cpuMsOf(createPods(creates, "JSON")),
    apply: await cpuMsOf(applyPods(creates)),
  };
}

/** Lists all Pods as kubectl does, and returns how many there are. */
async function listInPages(connection: ApiConnection): Promise<number> {
  let [pods, token] = [0, ""];
  do {
    const path = `/api/v1/pods?limit=${listed}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const page = (await connection.send({ method: "GET", path })).toString();
    pods += page.split('"schedulingGates":').length - 1;
    token = /^[^[]*?"continue":"([^"]*)"/.exec(page)?.[1] ?? "";
  } while (token !== "");
  return pods;
}
