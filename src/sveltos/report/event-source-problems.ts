import { clusterReferredTo, firstFew, type ClusterId, type HoldingCondition } from "../api/index.ts";
import { fieldsAt, listAt, stringAt, stringsAt, type Fields } from "../../core/object/index.ts";

/** What the status of an EventSource says of one cluster. */
export type SourceProblems = {
  readonly cluster: ClusterId;
  /** Why objects, or all of them, could not be judged. */
  readonly failures: readonly string[];
  /** Kinds that the cluster does not serve: `v1 Servce`. */
  readonly notServed: readonly string[];
};

/** The problems in the entries of an EventSource's `status.clusterInfo`. A CEL rule that counts as false is none. */
export function sourceProblemsIn(infos: readonly Fields[]): readonly SourceProblems[] {
  return infos.flatMap((info) => {
    const cluster = clusterReferredTo(fieldsAt(info, "cluster"));
    const failures = listAt(info, "failures").flatMap((failure) => (failure["effect"] === "Skipped" ? [] : [failureText(failure)]));
    const notServed = stringsAt(info, "notServed");
    return cluster === undefined || failures.length + notServed.length === 0 ? [] : [{ cluster, failures, notServed }];
  });
}

/** `Service shop/web: why`, as in Events. */
export function failureText(failure: Fields): string {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map((field) => stringAt(failure, `resource.${field}`, ""));
  const about = name === "" ? "" : `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}: `;
  return `${about}${stringAt(failure, "message", "")}`;
}

/** The condition that clusters do not serve a kind of an EventSource, if any does not. */
export function kindNotServed(problems: readonly SourceProblems[]): readonly HoldingCondition[] {
  const kinds = [...new Set(problems.flatMap(({ notServed }) => notServed))].toSorted();
  if (kinds.length === 0) return [];
  const texts = kinds.map((kind) => {
    const clusters = problems
      .filter(({ notServed }) => notServed.includes(kind))
      .map(({ cluster: { namespace, name } }) => `${namespace}/${name}`);
    return `${kind} is not served by ${firstFew(clusters)}`;
  });
  const message = `${firstFew(texts, "; ")}: nothing of that kind can match; check its spelling, or install its CustomResourceDefinition`;
  return [{ type: "KindNotServed", reason: "KindNotServed", message }];
}
