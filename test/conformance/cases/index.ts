import type { Case } from "../case.ts";
import { serverSideApply } from "./apply.ts";
import { crd } from "./crd.ts";
import { crud } from "./crud.ts";
import { defaults } from "./defaults.ts";
import { deletion } from "./deletion.ts";
import { discovery } from "./discovery.ts";
import { jobCases } from "./job.ts";
import { list } from "./list.ts";
import { network } from "./network.ts";
import { patch } from "./patch.ts";
import { podCases } from "./pod.ts";
import { status } from "./status.ts";
import { watch } from "./watch.ts";
import { workloads } from "./workload.ts";

/** The whole suite. */
export const cases: readonly Case[] = [
  ...crud,
  ...patch,
  ...serverSideApply,
  ...status,
  ...list,
  ...watch,
  ...deletion,
  ...defaults,
  ...crd,
  ...discovery,
  ...workloads,
  ...jobCases,
  ...network,
  ...podCases,
];
