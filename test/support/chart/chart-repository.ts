import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { packagedChart } from "./packaged-chart.ts";

/** The archive of a chart, version 0.1.0, with these files beside its Chart.yaml. */
export function chartArchive(name: string, files: Readonly<Record<string, string>>): Uint8Array {
  const all = { "Chart.yaml": `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`, ...files };
  return packagedChart(Object.fromEntries(Object.entries(all).map(([file, text]) => [`${name}/${file}`, text])));
}

export type ChartRepository = { readonly url: string; readonly close: () => void };

/** Serves archives by the names of their charts, each as version 0.1.0. */
export async function serveCharts(archives: Readonly<Record<string, Uint8Array>>): Promise<ChartRepository> {
  const entries = Object.keys(archives).map((name) => [name, [{ apiVersion: "v2", name, version: "0.1.0", urls: [`${name}-0.1.0.tgz`] }]]);
  const bodies = new Map<string, string | Uint8Array>([
    ["/index.yaml", JSON.stringify({ apiVersion: "v1", entries: Object.fromEntries(entries) as unknown })],
    ...Object.entries(archives).map(([name, archive]) => [`/${name}-0.1.0.tgz`, archive] as const),
  ]);
  const server = createServer(({ url = "" }, response) => {
    const body = bodies.get(url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A release of one of these charts, as a profile has it. */
export function chartOfProfile(repositoryURL: string, name: string, releaseName = name) {
  return {
    repositoryURL,
    repositoryName: "r",
    chartName: `r/${name}`,
    chartVersion: "0.1.0",
    releaseName,
    releaseNamespace: "default",
  };
}
