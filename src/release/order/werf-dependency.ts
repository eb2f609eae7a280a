import { groupVersionOf } from "../../core/object/index.ts";
import type { Gate, Need, Target } from "./claim.ts";
import { parseProperties } from "./properties.ts";
import type { Reader, Reading, Said } from "./reading.ts";
import { parseResource } from "./resource.ts";

const targetKeys = ["group", "version", "kind", "name", "namespace"] as const;
const example = { deploy: "state=ready,kind=Job,name=migrate", delete: "state=absent,kind=Job,name=migrate" };
const states: Readonly<Record<keyof typeof example, readonly string[]>> = { deploy: ["present", "ready"], delete: ["absent"] };

/** Reads `state=ready,kind=Job,name=migrate`. */
function dependency(when: keyof typeof example, say: (need: Need) => Said): Reader {
  return (reading) => {
    const properties = parseProperties(reading.value);
    const wrong = whatIsWrong(properties, when);
    if (wrong !== undefined) return reading.refuse(`${wrong}, for example ${example[when]}`);
    const target: Record<string, string> = {};
    for (const key of targetKeys) if (properties.has(key)) target[key] = String(properties.get(key));
    const gate = { until: properties.get("state") } as Gate;
    return say({ target, gate, external: false, because: reading.key });
  };
}

function whatIsWrong(properties: ReturnType<typeof parseProperties>, when: keyof typeof example): string | undefined {
  for (const [key, value] of properties) {
    if (key !== "state" && !targetKeys.some((known) => known === key))
      return `only the properties state, ${targetKeys.join(", ")}, and ${JSON.stringify(key)} is none of them`;
    if (typeof value !== "string" || value === "") return `a value for the property ${key}`;
  }
  const state = properties.get("state");
  if (typeof state !== "string" || !states[when].includes(state)) return `state=${states[when].join(" or state=")}`;
  return properties.size > 1 ? undefined : `what to wait for, by any of ${targetKeys.join(", ")}`;
}

/** Reads the older `apiVersion:kind[:namespace]:name`. */
function colonTarget({ value }: Reading): Target | undefined {
  const parts = value.split(":");
  const [apiVersion, kind, ...rest] = parts;
  const name = rest.at(-1);
  if (parts.length < 3 || parts.length > 4 || parts.includes("") || apiVersion === undefined || kind === undefined || name === undefined)
    return undefined;
  return { ...groupVersionOf(apiVersion), kind, name, ...(rest.length === 2 ? { namespace: rest[0]! } : {}) };
}

const colonExample = "apiVersion:kind:name or apiVersion:kind:namespace:name, for example apps/v1:StatefulSet:database";

const olderDependency: Reader = (reading) => {
  const target = colonTarget(reading);
  if (target === undefined) return reading.refuse(colonExample);
  return { needs: [{ target, gate: { until: "present" }, external: false, because: reading.key }], orderedBy: ["werf"] };
};

const externalObject: Reader = (reading) => {
  const target = colonTarget(reading);
  if (target === undefined) return reading.refuse(colonExample);
  return external(reading, { namespace: "", ...target });
};

const externalResource: Reader = (reading) => {
  const [type = "", name = "", ...more] = reading.value.split("/");
  const resource = parseResource(type);
  if (resource === undefined || name === "" || more.length > 0)
    return reading.refuse(
      "type/name with the type as kubectl takes it, for example statefulset/database, deployments.apps/web or certificates.v1.cert-manager.io/tls",
    );
  const { group, version } = resource;
  const namespace = reading.annotations[namespaceKey(reading.part)]?.trim() ?? "";
  return external(reading, {
    resource: resource.group === undefined || resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    namespace,
    name,
  });
};

function external({ key, part, annotations }: Reading, target: Target): Said {
  // Of two forms with one id, the one without a slash wins.
  if (key.includes("/") && `${part}.external-dependency.werf.io` in annotations) return {};
  return { needs: [{ target, gate: { until: "ready" }, external: true, because: key }], orderedBy: ["werf"] };
}

function namespaceKey(id: string): string {
  return `${id}.external-dependency.werf.io/namespace`;
}

const externalNamespace: Reader = (reading) => {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(reading.value)) return reading.refuse("the name of a namespace");
  const resource = `${reading.part}.external-dependency.werf.io/resource`;
  if (resource in reading.annotations) return {};
  return reading.refuse(`the annotation ${resource} beside it, which says what is waited for in that namespace`);
};

const withoutId: Reader = (reading) => reading.refuse(`a name of your choice before the key, for example database.${reading.key}`);

export const dependencyPatterns: readonly (readonly [RegExp, Reader])[] = [
  [/^werf\.io\/deploy-dependency-(.+)$/, dependency("deploy", (need) => ({ needs: [need], orderedBy: ["werf"] }))],
  [/^werf\.io\/delete-dependency-(.+)$/, dependency("delete", (need) => ({ deletionNeeds: [need], orderedBy: ["werf"] }))],
  [/^(.+)\.external-dependency\.werf\.io\/resource$/, externalResource],
  [/^(.+)\.external-dependency\.werf\.io\/namespace$/, externalNamespace],
  [/^(.+)\.external-dependency\.werf\.io$/, externalObject],
  [/^external-dependency\.werf\.io\/(?:resource|namespace)$/, withoutId],
  [/^(.+)\.dependency\.werf\.io$/, olderDependency],
];
