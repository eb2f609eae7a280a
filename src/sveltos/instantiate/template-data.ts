import { unreachable } from "../../core/fault/index.ts";
import { apiVersionOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import {
  GoList,
  GoMap,
  GoStruct,
  Pointer,
  namedType,
  nilList,
  sliceOf,
  structType,
  types,
  type ReflectType,
  type GoValue,
} from "../../lang/template/index.ts";
import type { Match } from "../evaluate/index.ts";
import { unstructuredOf } from "./unstructured.ts";

const text = types.string;
const nothing = new GoMap(types.anyMap, [], { isNil: true });

// Template errors print the names of these types, which are Sveltos'.
const reference = namedType(
  "v1.ObjectReference",
  structType({ Kind: text, Namespace: text, Name: text, UID: text, APIVersion: text, ResourceVersion: text, FieldPath: text }),
);
const references = sliceOf(reference);
const objects = sliceOf(types.anyMap);
const matchDataType = namedType(
  "controllers.currentObject",
  structType({
    MatchingResource: reference,
    MatchingResources: reference,
    Resource: types.anyMap,
    CloudEvent: types.anyMap,
    Cluster: types.anyMap,
  }),
);
const matchesDataType = namedType(
  "controllers.currentObjects",
  structType({ MatchingResources: references, Resources: objects, CloudEvents: objects, Cluster: types.anyMap }),
);
const clusterDataType = namedType(
  "controllers.currentCluster",
  structType({ Cluster: types.anyMap, ClusterNamespace: text, ClusterName: text }),
);

/** What templates are about, as plain data: one matching object, all of them, or a cluster before there is an event. */
export type TemplateInput =
  | { readonly of: "match"; readonly match: Match; readonly cluster: KubeObject }
  | { readonly of: "matches"; readonly matches: readonly Match[]; readonly cluster: KubeObject }
  | { readonly of: "cluster"; readonly cluster: KubeObject };

/** A new copy of the data that templates see, because they can mutate it. */
export function templateDataOf(input: TemplateInput): GoValue {
  switch (input.of) {
    case "match":
      return matchTemplateData(input.match, input.cluster);
    case "matches":
      return matchesTemplateData(input.matches, input.cluster);
    case "cluster":
      return clusterTemplateData(input.cluster);
    default:
      return unreachable(input);
  }
}

/**
 * The template data of one matching object. An object that was not collected is an empty map. The reference has two names:
 * Sveltos' documents write `.MatchingResources` where its code has `.MatchingResource`.
 */
function matchTemplateData({ ref, object }: Match, cluster: KubeObject): GoValue {
  const matching = referenceValue(ref);
  return pointerTo(matchDataType, {
    MatchingResource: matching,
    MatchingResources: matching,
    Resource: object === undefined ? nothing : unstructuredOf(object),
    CloudEvent: nothing,
    Cluster: unstructuredOf(cluster),
  });
}

/** The template data of all matching objects. */
function matchesTemplateData(matches: readonly Match[], cluster: KubeObject): GoValue {
  const collected = matches.flatMap(({ object }) => (object === undefined ? [] : [unstructuredOf(object)]));
  return pointerTo(matchesDataType, {
    MatchingResources: new GoList(
      references,
      matches.map(({ ref }) => referenceValue(ref)),
    ),
    Resources: collected.length === 0 ? nilList(objects) : new GoList(objects, collected),
    CloudEvents: nilList(objects),
    Cluster: unstructuredOf(cluster),
  });
}

/** The data of a template in `eventSourceName`, before there is an event. */
function clusterTemplateData(cluster: KubeObject): GoValue {
  const { namespace = "", name } = cluster.metadata;
  return pointerTo(clusterDataType, { Cluster: unstructuredOf(cluster), ClusterNamespace: namespace, ClusterName: name });
}

function pointerTo(type: ReflectType, fields: Readonly<Record<string, GoValue>>): GoValue {
  return new Pointer(type.pointerTo, new GoStruct(type, fields));
}

function referenceValue(ref: ObjectRef): GoValue {
  const named = { Kind: ref.kind, Namespace: ref.namespace, Name: ref.name, APIVersion: apiVersionOf(ref) };
  return new GoStruct(reference, { ...named, UID: "", ResourceVersion: "", FieldPath: "" });
}
