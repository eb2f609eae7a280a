/**
 * `npm run test:chaos`: plays faults against three replicas of the controller on real control planes, while users change
 * ten things a second, and compares after each what is there with what should be.
 */
import { parseArgs } from "node:util";
import { buildControlPlane } from "../cluster/toolchain.ts";
import { faults } from "./faults.ts";
import { runChaos } from "./run-chaos.ts";

const log = (line: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const options = { short: { type: "boolean" }, only: { type: "string" }, logs: { type: "string" }, seed: { type: "string" } } as const;
const { short: isShort = false, only = "", logs, seed = "1" } = parseArgs({ options }).values;
const program = await buildControlPlane(log);
const chosen = faults.filter((fault) => new RegExp(only).test(fault.name) && (!isShort || fault.isShort === true));
const failures = await runChaos({ program, faults: chosen, isShort, seed: Number(seed), log, ...(logs !== undefined && { logs }) });
for (const failure of failures) log(`FAILED ${failure}`);
log(`${chosen.length} faults, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
