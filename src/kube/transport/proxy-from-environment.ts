import { BlockList, isIP } from "node:net";
import { hostPortOf, isLoopback } from "./endpoint.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a server, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Models golang.org/x/net/http/httpproxy */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const chosen = url.protocol === "https:" ? env["HTTPS_PROXY"] || env["https_proxy"] : env["HTTP_PROXY"] || env["http_proxy"];
  if (!chosen) return undefined;
  const { host, port } = hostPortOf(url);
  if (isLoopback(host) || isExempt(host.toLowerCase(), port, env["NO_PROXY"] || env["no_proxy"] || "")) return undefined;
  return /^[a-z0-9]+:\/\//i.test(chosen) ? chosen : `http://${chosen}`;
}

function isExempt(host: string, port: number, list: string): boolean {
  return list
    .split(",")
    .map((rule) => rule.trim().toLowerCase())
    .some((rule) => rule !== "" && exempts(rule, host, port));
}

function exempts(rule: string, host: string, port: number): boolean {
  if (rule === "*") return true;
  if (rule.includes("/")) return isInNetwork(rule, host);
  const [, name = rule, wantedPort] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(rule) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  const bare = name.replaceAll(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return bare === host;
  // `.example.com` and `*.example.com` match subdomains, `example.com` also itself
  if (bare.startsWith("*.")) return host.endsWith(bare.slice(1));
  return bare.startsWith(".") ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isInNetwork(rule: string, host: string): boolean {
  const [network = "", bits = ""] = rule.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? "ipv4" : "ipv6");
  return list.check(host, family === 4 ? "ipv4" : "ipv6");
}
