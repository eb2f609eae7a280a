import type { Case } from "../case.ts";
import { serverSideApply } from "./apply.ts";
import { crd } from "./crd.ts";
import { crud } from "./crud.ts";
import { defaults } from "./defaults.ts";
import { deletion } from "./deletion.ts";
import { deployments } from "./deployment.ts";
import { discovery } from "./discovery.ts";
import { jobCases } from "./job.ts";
import { list } from "./list.ts";
import { network } from "./network.ts";
import { patch } from "./patch.ts";
import { podCases } from "./pod.ts";
import { schema } from "./schema.ts";
import { status } from "./status.ts";
import { watch } from "./watch.ts";
import { workloads } from "./workload.ts";

/** Cases whose pods, volumes or load balancers must move as the suite's behaviour says. */
const moving = [...deployments, ...workloads, ...jobCases, ...network, ...podCases].map((subject) => ({ ...subject, moves: true }));

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
  ...schema,
  ...discovery,
  ...moving,
];
