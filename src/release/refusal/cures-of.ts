import type { ObjectRef } from "../../core/object/index.ts";
import type { Cure } from "./cure.ts";

/** An answer of the API server that refuses an object. */
type Refusal = { readonly code: number; readonly explanation: string };

/** What the pattern captured. */
type Captured = Readonly<Partial<Record<string, string>>>;

/** A kind of refusal, and the changes that may cure it for the refused object. */
type Rule = {
  readonly codes: readonly number[];
  readonly pattern: RegExp;
  readonly cures: (captured: Captured, refused: ObjectRef) => readonly Cure[];
};

const admission = "admissionregistration.k8s.io";
const forbidden = [403];
/** Admission plugins and webhooks choose their code. */
const anyCode: readonly number[] = [];

const object = (group: string, kind: string, namespace: string, name?: string): Cure => ({
  by: "object",
  group,
  kind,
  namespace,
  ...(name === undefined ? {} : { name }),
});
const changed = (cure: Cure & { by: "object" }): Cure => ({ ...cure, deleted: true });
const inNamespace = (kind: string, namespace: string, name?: string): Cure =>
  changed({ by: "object", group: "", kind, namespace, ...(name === undefined ? {} : { name }) });
const definitionOf = ({ group, kind }: ObjectRef): Cure => ({ by: "definition", group, kind });

/** The Service that a webhook's URL names. Models apiserver pkg/util/webhook/client.go: `https://name.namespace.svc:443`. */
const service = String.raw`(?:[^]*?https:\/\/(?<service>[^./:]+)\.(?<namespace>[^./:]+)\.svc[:/])?`;
const backend = ({ service: name, namespace }: Captured): readonly Cure[] =>
  name === undefined || namespace === undefined ? [] : [{ by: "backend", namespace, name }];

const rbac = "rbac.authorization.k8s.io";
/** Resources that the server looks up while it admits another object. */
const lookedUp: Readonly<Record<string, (name: string, refused: ObjectRef) => Cure>> = {
  namespaces: (name) => object("", "Namespace", "", name),
  [`roles.${rbac}`]: (name, { namespace }) => object(rbac, "Role", namespace, name),
  [`clusterroles.${rbac}`]: (name) => object(rbac, "ClusterRole", "", name),
};

/** Which refusal which change may cure. The first rule that matches counts. */
const rules: readonly Rule[] = [
  // Webhooks come first: they may use any code and any words.
  {
    codes: anyCode,
    pattern: new RegExp(String.raw`failed calling webhook "(?<name>[^"]+)"${service}`),
    cures: (captured) => [{ by: "webhook", name: captured["name"] ?? "" }, ...backend(captured)],
  },
  {
    codes: anyCode,
    pattern: /admission webhook "(?<name>[^"]+)" /,
    cures: ({ name = "" }) => [{ by: "webhook", name }],
  },
  {
    codes: anyCode,
    pattern: new RegExp(String.raw`conversion webhook for ${service}`),
    cures: (captured, refused) => [definitionOf(refused), ...backend(captured)],
  },
  // Models apiserver pkg/admission/plugin/policy: the reason is that of the policy.
  {
    codes: anyCode,
    pattern: /(?<kind>(?:Validating|Mutating)AdmissionPolicy) '(?<policy>[^']+)' with binding '(?<binding>[^']+)'/,
    cures: ({ kind = "", policy = "", binding = "" }) => [
      changed({ by: "object", group: admission, kind, namespace: "", name: policy }),
      changed({ by: "object", group: admission, kind: `${kind}Binding`, namespace: "", name: binding }),
    ],
  },
  {
    codes: [404],
    pattern: /^(?<resource>[a-z][a-z0-9.-]*) "(?<name>[^"]+)" not found$/,
    cures: ({ resource = "", name = "" }, refused) => {
      const cure = Object.hasOwn(lookedUp, resource) ? lookedUp[resource] : undefined;
      return cure === undefined ? [] : [cure(name, refused)];
    },
  },
  {
    codes: forbidden,
    pattern: /unable to create new content in namespace (?<name>\S+) because it is being terminated/,
    cures: ({ name = "" }) => [object("", "Namespace", "", name)],
  },
  {
    codes: forbidden,
    pattern: /error looking up service account (?<namespace>[^/\s]+)\/(?<name>[^:\s]+): /,
    cures: ({ namespace = "", name = "" }) => [object("", "ServiceAccount", namespace, name)],
  },
  {
    codes: forbidden,
    pattern: /because service account (?<name>\S+) does not reference that secret/,
    cures: ({ name = "" }, { namespace }) => [object("", "ServiceAccount", namespace, name)],
  },
  // What a quota asks for may also be filled in by a LimitRange.
  {
    codes: forbidden,
    pattern: /failed quota: (?<name>[^:]+): must specify /,
    cures: ({ name = "" }, { namespace }) => [inNamespace("ResourceQuota", namespace, name), inNamespace("LimitRange", namespace)],
  },
  {
    codes: forbidden,
    pattern: /(?:exceeded quota|status unknown for quota): (?<name>[^,]+), /,
    cures: ({ name = "" }, { namespace }) => [inNamespace("ResourceQuota", namespace, name), { by: "deletion", namespace }],
  },
  {
    codes: forbidden,
    pattern: /insufficient quota to match these scopes/,
    cures: (_, { namespace }) => [inNamespace("ResourceQuota", namespace)],
  },
  {
    codes: forbidden,
    pattern: /(?:minimum|maximum) \S+ usage per |limit to request ratio per /,
    cures: (_, { namespace }) => [inNamespace("LimitRange", namespace)],
  },
  { codes: forbidden, pattern: /violates PodSecurity "/, cures: (_, { namespace }) => [object("", "Namespace", "", namespace)] },
  {
    codes: forbidden,
    pattern: /no PriorityClass with name (?<name>\S+) was found/,
    cures: ({ name }) => [object("scheduling.k8s.io", "PriorityClass", "", name)],
  },
  {
    codes: forbidden,
    pattern: /pod rejected: RuntimeClass "(?<name>[^"]+)" not found/,
    cures: ({ name }) => [object("node.k8s.io", "RuntimeClass", "", name)],
  },
  {
    codes: forbidden,
    pattern: /the storageclass that provisions the pvc must support resize/,
    cures: () => [object("storage.k8s.io", "StorageClass", "")],
  },
  {
    codes: forbidden,
    pattern: /user "(?<user>[^"]+)" \(groups=(?<groups>\[[^\]]*\])\) is attempting to grant RBAC permissions not currently held/,
    cures: ({ user = "", groups = "" }) => [{ by: "grant", user, groups: [...groups.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name) }],
  },
  {
    codes: forbidden,
    pattern: /User "(?<user>[^"]+)" cannot /,
    cures: ({ user = "" }) => [{ by: "grant", user, groups: [] }],
  },
  // The aggregator answers for an APIService whose backend does not.
  {
    codes: [503],
    pattern: /(?:)/,
    cures: (_, { group, version }) => [object("apiregistration.k8s.io", "APIService", "", `${version}.${group}`)],
  },
  // Server-side apply answers 500 to a field that the schema does not have, or has with another type.
  { codes: [500], pattern: /failed to create typed (?:patch|live) object/, cures: (_, refused) => [definitionOf(refused)] },
  { codes: [400, 422], pattern: /(?:)/, cures: (_, refused) => [definitionOf(refused)] },
];

/** The changes of other objects that may cure a refusal; none when only another manifest helps. */
export function curesOf({ code, explanation }: Refusal, refused: ObjectRef): readonly Cure[] {
  for (const { codes, pattern, cures } of rules) {
    const found = codes.length === 0 || codes.includes(code) ? pattern.exec(explanation) : null;
    if (found !== null) return cures(found.groups ?? {}, refused);
  }
  return [];
}

/** What brings the kind and the namespace of an object that nobody could check without them. */
export function containerCures(ref: ObjectRef): readonly Cure[] {
  return ref.namespace === "" ? [definitionOf(ref)] : [definitionOf(ref), object("", "Namespace", "", ref.namespace)];
}
