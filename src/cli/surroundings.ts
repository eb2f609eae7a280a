import { text } from "node:stream/consumers";
import { Fault } from "../fault/index.ts";
import type { Surroundings } from "../release/load/index.ts";

/** Longest answer that is taken for a manifest. */
const mostBytes = 64 * 2 ** 20;

/** Standard input and the web, as sources of manifests. */
export const surroundings: Surroundings = {
  stdin: () => text(process.stdin),
  async fetch(url, signal) {
    const response = await fetch(url, { signal, redirect: "follow" });
    if (!response.ok)
      throw new Fault(`the server answered ${response.status} ${response.statusText}: check the address`, undefined, { final: true });
    if (Number(response.headers.get("content-length") ?? 0) > mostBytes)
      throw new Fault("the answer is larger than 64 MiB: not a manifest", undefined, { final: true });
    return response.text();
  },
};
