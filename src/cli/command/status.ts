import { status as readStatus } from "../../release/status/index.ts";
import { statusLines, statusOutline } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes } from "../failure.ts";
import { hasDied } from "../identity.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

export type StatusCommand = SiteOptions & { readonly output: "text" | "json" | "yaml" };

/** Says how a release and each of its objects are doing. Exit code 1 unless it is deployed and all of it is ready. */
export async function status(name: string, options: StatusCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, ...where } = options;
  return onCluster(where, terminal, async ({ cluster }) => {
    const found = await readStatus({ name, namespace: cluster.namespace }, cluster, { signal, hasDied });
    if (output !== "text") terminal.out(dataText(statusOutline(found), output));
    else for (const line of statusLines(found, terminal.paint)) terminal.out(line);
    return found.ready ? exitCodes.ok : exitCodes.failed;
  });
}
