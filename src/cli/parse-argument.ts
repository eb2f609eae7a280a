import { InvalidArgumentError } from "commander";

export function parsePort(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("expected a port between 0 and 65535; 0 takes any that is free");
}

export function parseRevision(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected the number of a revision, from 1 on");
}

/** As in Helm, 0 stands for the latest revision. */
export function parseRevisionOrLatest(text: string): number {
  return text === "0" ? 0 : parseRevision(text);
}

export function parseHistoryMax(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number, or 0 for no limit");
}

export function parseParallelism(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number from 1 to 9999");
}

/** `127.0.0.1:8080`, `[::1]:8080`, or `:8080` for every address of this machine. */
export function parseListenAddress(text: string): { readonly host?: string; readonly port: number } {
  const [, host = "", digits = ""] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === "" || number > 65_535) throw new InvalidArgumentError("expected an address such as 127.0.0.1:8080, or :8080 for all");
  return host === "" ? { port: number } : { host: host.replaceAll(/[[\]]/g, ""), port: number };
}

/** `charts.example,127.0.0.1:8080`: hosts as URLs have them, where the port of the scheme is left out. */
export function parseHosts(text: string): readonly string[] {
  const hosts = text.split(",").map((each) => each.trim().toLowerCase());
  if (!hosts.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/.test(host)))
    throw new InvalidArgumentError("expected hosts such as charts.example or 127.0.0.1:8080, with commas between");
  return hosts.map((host) => host.replace(/:(80|443)$/, ""));
}

export function parseReplicaCount(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number from 0 to 999");
}

export function parseClusterCount(text: string): number {
  return parseCount(text, 100);
}

export function parseNodeCount(text: string): number {
  return parseCount(text, 1000);
}

function parseCount(text: string, highest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= highest) return value;
  throw new InvalidArgumentError(`expected a number from 1 to ${highest}`);
}

export function parseSpeedFactor(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1000) return value;
  throw new InvalidArgumentError("expected a number above 0, at most 1000");
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function parseDurationFlag(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const whole = parts.map(([part]) => part).join("") === text && parts.length > 0;
  if (whole) return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
  throw new InvalidArgumentError("expected a duration such as 90s, 10m or 1h30m");
}

/** `env=prod,tier=1`. */
export function parseLabels(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split(",")
    .filter((pair) => pair !== "")
    .map((pair) => pair.split("="));
  const labels: Record<string, string> = {};
  for (const [key = "", value, ...more] of pairs) {
    if (key === "" || value === undefined || more.length > 0) throw new InvalidArgumentError("expected labels such as env=prod,tier=1");
    labels[key] = value;
  }
  return labels;
}

/** Until when to wait, in our words and in Helm's. */
const waits: Readonly<Record<string, "all" | "hooks">> = {
  all: "all",
  hooks: "hooks",
  watcher: "all",
  legacy: "all",
  true: "all",
  hookOnly: "hooks",
};

export function parseWait(text: string): "all" | "hooks" {
  const wait = Object.hasOwn(waits, text) ? waits[text] : undefined;
  if (wait !== undefined) return wait;
  throw new InvalidArgumentError("expected all or hooks; --no-wait does not wait at all");
}
