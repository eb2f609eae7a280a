import { groupVersionOf } from "../../core/object/index.ts";
import type { Gate, Need, NeedTarget } from "./ordering-constraints.ts";
import { parseWerfProperties } from "./werf-properties.ts";
import type { AnnotationReader, Annotation, ParsedAnnotations } from "./annotation-reader.ts";
import { parseResourceArg } from "./resource-arg.ts";

const targetKeys = ["group", "version", "kind", "name", "namespace"] as const;
const example = { deploy: "state=ready,kind=Job,name=migrate", delete: "state=absent,kind=Job,name=migrate" };
const states: Readonly<Record<keyof typeof example, readonly string[]>> = { deploy: ["present", "ready"], delete: ["absent"] };

/** Parses `state=ready,kind=Job,name=migrate`. */
function dependency(when: keyof typeof example, parse: (need: Need) => ParsedAnnotations): AnnotationReader {
  return (annotation) => {
    const properties = parseWerfProperties(annotation.value);
    const wrong = problemIn(properties, when);
    if (wrong !== undefined) return annotation.refuse(`${wrong}, for example ${example[when]}`);
    const target: Record<string, string> = {};
    for (const key of targetKeys) if (properties.has(key)) target[key] = String(properties.get(key));
    const gate = { until: properties.get("state") } as Gate;
    return parse({ target, gate, external: false, because: annotation.key });
  };
}

function problemIn(properties: ReturnType<typeof parseWerfProperties>, when: keyof typeof example): string | undefined {
  for (const [key, value] of properties) {
    if (key !== "state" && !targetKeys.some((known) => known === key))
      return `only the properties state, ${targetKeys.join(", ")}, and ${JSON.stringify(key)} is none of them`;
    if (typeof value !== "string" || value === "") return `a value for the property ${key}`;
  }
  const state = properties.get("state");
  if (typeof state !== "string" || !states[when].includes(state)) return `state=${states[when].join(" or state=")}`;
  return properties.size > 1 ? undefined : `what to wait for, by any of ${targetKeys.join(", ")}`;
}

/** Parses the older `apiVersion:kind[:namespace]:name`. */
function colonTarget({ value }: Annotation): NeedTarget | undefined {
  const parts = value.split(":");
  const [apiVersion, kind, ...rest] = parts;
  const name = rest.at(-1);
  if (parts.length < 3 || parts.length > 4 || parts.includes("") || apiVersion === undefined || kind === undefined || name === undefined)
    return undefined;
  return { ...groupVersionOf(apiVersion), kind, name, ...(rest.length === 2 ? { namespace: rest[0]! } : {}) };
}

const colonExample = "apiVersion:kind:name or apiVersion:kind:namespace:name, for example apps/v1:StatefulSet:database";

const olderDependency: AnnotationReader = (annotation) => {
  const target = colonTarget(annotation);
  if (target === undefined) return annotation.refuse(colonExample);
  return { needs: [{ target, gate: { until: "present" }, external: false, because: annotation.key }], orderedBy: ["werf"] };
};

const externalObject: AnnotationReader = (annotation) => {
  const target = colonTarget(annotation);
  if (target === undefined) return annotation.refuse(colonExample);
  return external(annotation, { namespace: "", ...target });
};

const externalResource: AnnotationReader = (annotation) => {
  const [type = "", name = "", ...more] = annotation.value.split("/");
  const resource = parseResourceArg(type);
  if (resource === undefined || name === "" || more.length > 0)
    return annotation.refuse(
      "type/name with the type as kubectl takes it, for example statefulset/database, deployments.apps/web or certificates.v1.cert-manager.io/tls",
    );
  const { group, version } = resource;
  const namespace = annotation.annotations[namespaceKey(annotation.part)]?.trim() ?? "";
  return external(annotation, {
    resource: resource.group === undefined || resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    namespace,
    name,
  });
};

function external({ key, part, annotations }: Annotation, target: NeedTarget): ParsedAnnotations {
  // Of two forms with one id, the one without a slash wins.
  if (key.includes("/") && `${part}.external-dependency.werf.io` in annotations) return {};
  return { needs: [{ target, gate: { until: "ready" }, external: true, because: key }], orderedBy: ["werf"] };
}

function namespaceKey(id: string): string {
  return `${id}.external-dependency.werf.io/namespace`;
}

const externalNamespace: AnnotationReader = (annotation) => {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(annotation.value)) return annotation.refuse("the name of a namespace");
  const resource = `${annotation.part}.external-dependency.werf.io/resource`;
  if (resource in annotation.annotations) return {};
  return annotation.refuse(`the annotation ${resource} beside it, which says what is waited for in that namespace`);
};

const withoutId: AnnotationReader = (annotation) =>
  annotation.refuse(`a name of your choice before the key, for example database.${annotation.key}`);

export const dependencyPatterns: readonly (readonly [RegExp, AnnotationReader])[] = [
  [/^werf\.io\/deploy-dependency-(.+)$/, dependency("deploy", (need) => ({ needs: [need], orderedBy: ["werf"] }))],
  [/^werf\.io\/delete-dependency-(.+)$/, dependency("delete", (need) => ({ deletionNeeds: [need], orderedBy: ["werf"] }))],
  [/^(.+)\.external-dependency\.werf\.io\/resource$/, externalResource],
  [/^(.+)\.external-dependency\.werf\.io\/namespace$/, externalNamespace],
  [/^(.+)\.external-dependency\.werf\.io$/, externalObject],
  [/^external-dependency\.werf\.io\/(?:resource|namespace)$/, withoutId],
  [/^(.+)\.dependency\.werf\.io$/, olderDependency],
];
