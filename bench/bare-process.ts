/** Runs the bare client as a process of its own, as the tools are: its only argument is the task in JSON. */
import { runBareClient, type BareTask } from "./bare-client.ts";

const [task = ""] = process.argv.slice(2);
await runBareClient(JSON.parse(task) as BareTask);
