import { openSite, type Site, type SiteOptions } from "./site.ts";
import type { Terminal } from "./terminal.ts";

/** Opens the cluster that the flags name for as long as something is read from it. Warnings go beside the result. */
export async function onCluster<T>(options: SiteOptions, { err, paint }: Terminal, read: (site: Site) => Promise<T>): Promise<T> {
  const site = await openSite(options, (warning) => err(paint.warn(`warning: ${warning}`)));
  try {
    return await read(site);
  } finally {
    site.close();
  }
}
