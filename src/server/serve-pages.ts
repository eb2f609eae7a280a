import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../core/fault/index.ts";

/** A response: its status and text. */
export type Page = { readonly status: number; readonly type?: string; readonly text: string };

/** A running server of pages. */
type ServedPages = { readonly url: string; close(): Promise<void> };

/** The address to listen on: `127.0.0.1:8080`, `[::1]:8080`, or `:8080` for all interfaces. */
export type ListenAddress = { readonly host?: string; readonly port: number };

/** Serves pages over plain HTTP, for probes and monitoring. A page is created for each request. */
export async function servePages(pages: Readonly<Record<string, () => Page>>, { host, port }: ListenAddress): Promise<ServedPages> {
  const server = createServer((request, response) => {
    const { status, type = "text/plain; charset=utf-8", text } = answerTo(pages, request.method ?? "", request.url ?? "");
    response.writeHead(status, { "content-type": type });
    response.end(request.method === "HEAD" ? undefined : text);
  });
  await listening(server, port, host);
  const { address, port: taken, family } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`, close };
}

function answerTo(pages: Readonly<Record<string, () => Page>>, method: string, url: string): Page {
  const path = url.replace(/\?.*/, "");
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return { status: 404, text: `there is no ${path}; there is ${Object.keys(pages).join(", ")}\n` };
  if (method !== "GET" && method !== "HEAD") return { status: 405, text: "only to be read\n" };
  return page();
}

function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const what = error.code === "EADDRINUSE" ? "it is in use: choose another one with --metrics-address" : error.message;
      reject(new Fault(`listen on ${host ?? ""}:${port}`, what, { final: true }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => resolve());
  });
}
