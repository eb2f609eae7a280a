import type { Json } from "../../src/core/object/index.ts";

/** The dotted paths of an object, or of each item of a list, that are compared. Absent: everything. Empty: only its existence. */
export type Show = readonly string[];

/**
 * What is waited for. `gone` and `present` are about the object; otherwise every path must have its value, `null` for an
 * absent field. `condition:Ready` is the status of that condition, `reason:Ready` its reason.
 */
export type Until = "gone" | "present" | { readonly [path: string]: Json };

/** One request. `{ns}`, `{group}` and captured names are replaced in the path, the headers and the body. */
export type RequestStep = {
  readonly call: string;
  readonly body?: Json;
  /** A body that is no JSON, as it is sent. Default: `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that every cluster must answer with, whatever is recorded. Any success when absent. */
  readonly expect?: number;
  /** A status that is answered while a server has not yet seen what an earlier step wrote. The request is repeated. */
  readonly early?: number;
  /** What the answer must say. The request is repeated while it says something else, as `early` has it. */
  readonly until?: Until;
  /** A part of a warning that the answer must have. The request is repeated while it has none like that: only a dry run can be. */
  readonly untilWarned?: string;
  /** Variable → dotted path of the answer. `base64:PATH` decodes what is there. */
  readonly capture?: Readonly<Record<string, string>>;
  readonly show?: Show;
};

/** Waits on a watch until one object (`waitFor` is its path) satisfies `until`. */
export type WaitFor = {
  readonly waitFor: string;
  readonly until: Until;
  readonly capture?: Readonly<Record<string, string>>;
  readonly show?: Show;
};

/** Waits on a watch until a collection (with its selectors) has `count` objects that all satisfy `until`. */
export type WaitForAll = {
  readonly waitForAll: string;
  readonly count: number;
  readonly until?: Until;
  readonly show?: Show;
};

/** Opens a watch that later steps read by its name. It is closed at the end of the case. */
export type OpenWatch = {
  readonly watch: string;
  readonly name: string;
  readonly expect?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Reads a watch: a number of events, up to the first that matches, or to the end of the stream. */
export type ReadEvents = {
  readonly events: string;
  readonly until: "end" | { readonly count: number } | { readonly type: string; readonly is?: Until };
  readonly show?: Show;
  /** Drops an event that shows the same as the event before it. How often a controller writes is not compared. */
  readonly coalesce?: boolean;
};

export type CaseStep = RequestStep | WaitFor | WaitForAll | OpenWatch | ReadEvents;

/** A script of requests that every cluster must answer alike. It has namespaces of its own, so cases run in any order. */
export type ConformanceCase = {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly CaseStep[];
  /** How many namespaces it needs: `{ns}`, `{ns2}`, … */
  readonly namespaces?: number;
  /** Needs the test kubelet, which behaves as `suiteBehaviour` says. */
  readonly needsKubelet?: boolean;
  /** What it creates counts for the whole cluster: no other case may run meanwhile. */
  readonly runsAlone?: boolean;
  /** Needs the scripted webhook, whose address is `{webhook}` and whose CA bundle is `{ca}`; `socket`: behind a real connection. */
  readonly needsWebhook?: boolean | "socket";
  /** Ranks the resource versions of all objects together, not those of each object by itself. */
  readonly oneCounter?: boolean;
};

const json = { "content-type": "application/json" };

type More = Omit<RequestStep, "call" | "body">;

export const httpGet = (path: string, more: More = {}): RequestStep => ({ call: `GET ${path}`, ...more });
export const httpPost = (path: string, body: Json, more: More = {}): RequestStep => ({
  call: `POST ${path}`,
  body,
  headers: json,
  ...more,
});
export const httpPut = (path: string, body: Json, more: More = {}): RequestStep => ({ call: `PUT ${path}`, body, headers: json, ...more });
export const httpDelete = (path: string, body?: Json, more: More = {}): RequestStep =>
  body === undefined ? { call: `DELETE ${path}`, ...more } : { call: `DELETE ${path}`, body, headers: json, ...more };

function patchAs(type: string): (path: string, body: Json, more?: More) => RequestStep {
  return (path, body, more = {}) => ({ call: `PATCH ${path}`, body, headers: { "content-type": type }, ...more });
}

export const mergePatch = patchAs("application/merge-patch+json");
export const jsonPatch = patchAs("application/json-patch+json");
export const strategicPatch = patchAs("application/strategic-merge-patch+json");
const applyPatch = patchAs("application/apply-patch+yaml");

/** Server-side apply by `manager`. */
export function applyRequest(path: string, body: Json, more: More & { manager?: string; force?: boolean } = {}): RequestStep {
  const { manager = "one", force = false, ...rest } = more;
  const separator = path.includes("?") ? "&" : "?";
  return applyPatch(`${path}${separator}fieldManager=${manager}${force ? "&force=true" : ""}`, body, rest);
}

/** The path of a namespaced resource in `{ns}`: `namespacedPath("apps/v1", "deployments", "web")`. */
export function namespacedPath(apiVersion: string, resource: string, name?: string): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}/namespaces/{ns}/${resource}${name === undefined ? "" : `/${name}`}`;
}

export const configMapsPath = namespacedPath("v1", "configmaps");
export const configMap = (
  name: string,
  more: { readonly [field: string]: Json } = {},
  metadata: { readonly [field: string]: Json } = {},
) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  ...more,
});
