import type { Monitor, ProbeResult } from "../../sveltos/telemetry/index.ts";
import { servePages, type ListenAddress, type Page } from "../../server/index.ts";

/** The pages for Kubernetes' liveness and readiness probes, and for Prometheus. */
function probePages(monitor: Monitor): Readonly<Record<string, () => Page>> {
  return {
    "/healthz": () => probePage(monitor.liveness()),
    "/readyz": () => probePage(monitor.readiness()),
    "/metrics": () => ({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8", text: monitor.metrics.text() }),
  };
}

function probePage(vitals: ProbeResult): Page {
  return vitals.well ? { status: 200, text: "ok\n" } : { status: 503, text: `${vitals.because}\n` };
}

/** Serves the pages while `work` runs. Without an address it only runs `work`. */
export async function withProbeServer<T>(monitor: Monitor, address: ListenAddress | undefined, work: () => Promise<T>): Promise<T> {
  if (address === undefined) return work();
  const { url, close } = await servePages(probePages(monitor), address);
  monitor.log.write("info", "listens", { url });
  try {
    return await work();
  } finally {
    await close();
  }
}
