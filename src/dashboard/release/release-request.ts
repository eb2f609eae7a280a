import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Release } from "../../release/record/index.ts";

/** The object that a request names. */
export function objectIn(query: URLSearchParams): ObjectRef {
  const [group, namespace] = [query.get("group") ?? "", query.get("namespace") ?? ""];
  return { group, version: requiredIn(query, "version"), kind: requiredIn(query, "kind"), namespace, name: requiredIn(query, "name") };
}

/** `NAMESPACE/NAME` in a field of a request; undefined when it is not there. */
export function releaseIn(query: URLSearchParams, field: string): Release | undefined {
  const text = query.get(field);
  if (text === null) return undefined;
  const [namespace = "", name = "", ...rest] = text.split("/");
  if (namespace === "" || name === "" || rest.length > 0)
    throw new Fault(`read ${field}=${text}`, "expected NAMESPACE/NAME", { final: true });
  return { namespace, name };
}

/** The number of a revision in a field of a request; undefined when it is not there. */
export function revisionNumberIn(query: URLSearchParams, field: string): number | undefined {
  const text = query.get(field);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Fault(`read ${field}=${text}`, "expected the number of a revision", { final: true });
  return Number(text);
}

export function requiredIn(query: URLSearchParams, field: string): string {
  const text = query.get(field) ?? "";
  if (text === "") throw new Fault("read the request", `it has no ${field}`, { final: true });
  return text;
}
