import { Fault } from "../core/fault/index.ts";
import type { HttpClient } from "./http-client.ts";
import { redactedUrl } from "./url.ts";

/** Fetches a text. Every fault names the URL. */
export async function fetchText(http: HttpClient, url: string, maxBytes: number): Promise<string> {
  const { status, statusText, body } = await http({ url, maxBytes });
  if (status < 200 || status > 299)
    throw new Fault(`read ${redactedUrl(url)}: the server answered ${statusText}: check the address`, undefined, { final: true });
  return Buffer.from(body).toString("utf8");
}
