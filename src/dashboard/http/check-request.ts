import type { Headers } from "../../core/exchange/index.ts";

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+?)\.?(?::(\d{1,5}))?$/i;

/**
 * Whether a dashboard may be called by the host of a request. A name that an attacker points at this machine is not in the list,
 * so his pages cannot read ours (DNS rebinding). An entry without a port stands for any.
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  const [, name, port] = hostPattern.exec(host ?? "") ?? [];
  if (name === undefined) return false;
  const asked = name.toLowerCase();
  return allowed.some((entry) => {
    const [, allowedName, allowedPort] = hostPattern.exec(entry) ?? [];
    return allowedName?.toLowerCase() === asked && (allowedPort === undefined || allowedPort === port);
  });
}

/**
 * Whether a browser says that another site has it send a request. Browsers say so by Sec-Fetch-Site, or at least by Origin; what
 * says neither is no page. A read that somebody types into the address bar comes from no site.
 */
export function isCrossSite(method: string, headers: Headers): boolean {
  const { "sec-fetch-site": site, origin, host } = headers;
  const isTyped = site === "none" && (method === "GET" || method === "HEAD");
  if (site !== undefined && site !== "same-origin" && !isTyped) return true;
  return origin !== undefined && hostOf(origin) !== host?.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
