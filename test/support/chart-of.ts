import { loadChart, type Chart } from "../../src/chart/index.ts";

/** A chart from files by path. Without a `Chart.yaml` it is web 0.1.0. */
export function chartOf(files: Readonly<Record<string, string>>): Chart {
  const all = { "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n", ...files };
  return loadChart(Object.entries(all).map(([name, text]) => ({ name, data: Buffer.from(text) })));
}
