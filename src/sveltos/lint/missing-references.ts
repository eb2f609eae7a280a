import type { Problem } from "../../core/fault/index.ts";
import { booleanAt, fieldsAt, groupVersionOf, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { kinds } from "../api/index.ts";

/** An object that another one names. Without a namespace it may be in any. */
type Reference = { readonly at: string; readonly kind: string; readonly namespace: string; readonly name: string };

/**
 * Finds what objects of Sveltos name and these manifests do not have: EventSources of triggers, and ConfigMaps and Secrets of
 * content and values. Templates and optional references are not looked up.
 */
export function missingReferences(objects: readonly KubeObject[]): (object: KubeObject) => readonly Problem[] {
  const known = new Set(
    objects.flatMap(({ kind, metadata: { name, namespace } }) => [
      `${kind}//${name}`,
      // An object without a namespace may come into any.
      namespace === undefined ? `${kind}/*/${name}` : `${kind}/${namespace}/${name}`,
    ]),
  );
  const isKnown = ({ kind, namespace, name }: Reference) =>
    known.has(`${kind}/${namespace}/${name}`) || (namespace !== "" && known.has(`${kind}/*/${name}`));
  return (object) =>
    referencesOf(object)
      .filter((reference) => !isKnown(reference))
      .map(({ at, kind, namespace, name }) => ({
        at,
        message: `there is no ${kind} ${namespace === "" ? name : `${namespace}/${name}`} among these manifests: nothing happens until the management cluster has it`,
      }));
}

const contentKinds = new Set(["ConfigMap", "Secret"]);

function referencesOf(object: KubeObject): readonly Reference[] {
  const { group } = groupVersionOf(object.apiVersion);
  const isTrigger = group === kinds.EventTrigger.group && (object.kind === "EventTrigger" || object.kind === "EventBasedAddOn");
  const isProfile = group === kinds.ClusterProfile.group && (object.kind === "ClusterProfile" || object.kind === "Profile");
  if (!isTrigger && !isProfile) return [];
  const spec = fieldsAt(object, "spec");
  const source = isTrigger ? stringAt(spec, "eventSourceName", "") : "";
  const own = object.kind === "Profile" ? (object.metadata.namespace ?? "") : undefined;
  const charts = listAt(spec, "helmCharts").flatMap((chart, at) => contentReferences(chart, `spec.helmCharts[${at}].valuesFrom`, own));
  return [
    { at: "spec.eventSourceName", kind: "EventSource", namespace: "", name: source },
    ...contentReferences(spec, "spec.policyRefs", own),
    ...charts,
  ].filter(({ name, namespace }) => name !== "" && !`${name}${namespace}`.includes("{{"));
}

/** The last part of the path is the field that holds them. `own`: the only namespace that they may be in. */
function contentReferences(holder: Fields, path: string, own: string | undefined): readonly Reference[] {
  return listAt(holder, path.slice(path.lastIndexOf(".") + 1)).flatMap((reference, index) => {
    const kind = stringAt(reference, "kind", "ConfigMap");
    if (!contentKinds.has(kind) || booleanAt(reference, "optional")) return [];
    return [
      { at: `${path}[${index}].name`, kind, namespace: own ?? stringAt(reference, "namespace", ""), name: stringAt(reference, "name", "") },
    ];
  });
}
