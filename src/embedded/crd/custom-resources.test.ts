import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { aggregatedDiscovery } from "../data/index.ts";
import {
  compareKubeAwareVersions,
  convertCustomResource,
  customResourceOpenApi,
  discoveryEntries,
  discoveryVersion,
  openApiDocumentFor,
  metadataError,
  nextCrdStatus,
  decodeCustomResource,
  servedCrdVersions,
  storageVersionHash,
  validateCustomResource,
  type CrdStatus,
} from "./index.ts";

const now = "2026-01-01T00:00:00Z";

function widgets(change: Record<string, unknown> = {}, status?: CrdStatus): KubeObject {
  const spec = {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList", shortNames: ["wd"], categories: ["all"] },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    ...change,
  };
  const metadata = { name: `${spec.names.plural}.${spec.group}` };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata,
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

function established(crd: KubeObject, others: readonly KubeObject[] = []): KubeObject {
  return { ...crd, status: nextCrdStatus(crd, others, now) };
}

test("a CRD without conflicts gets its names and is established", () => {
  assert.deepEqual(nextCrdStatus(widgets({}, { storedVersions: ["v1"] }), [], now), {
    storedVersions: ["v1"],
    acceptedNames: {
      plural: "widgets",
      singular: "widget",
      shortNames: ["wd"],
      kind: "Widget",
      listKind: "WidgetList",
      categories: ["all"],
    },
    conditions: [
      { type: "NamesAccepted", status: "True", lastTransitionTime: now, reason: "NoConflicts", message: "no conflicts found" },
      {
        type: "Established",
        status: "True",
        lastTransitionTime: now,
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      },
    ],
  });
});

test("a settled status stays the same value, whatever the time", () => {
  const settled = established(widgets());
  assert.equal(nextCrdStatus(settled, [], "2027-01-01T00:00:00Z"), settled["status"]);
});

const rival = { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" };

// Reasons and messages as of naming_controller.go calculateNamesAndConditions.
const conflicts: readonly (readonly [Record<string, unknown>, string, string])[] = [
  [{ ...rival, singular: "widget" }, "SingularConflict", '"widget" is already in use'],
  [{ ...rival, shortNames: ["wd"] }, "ShortNamesConflict", '"wd" is already in use'],
  [{ ...rival, shortNames: ["wd", "widgets"] }, "ShortNamesConflict", '["wd" is already in use, "widgets" is already in use]'],
  [{ ...rival, kind: "Widget" }, "KindConflict", '"Widget" is already in use'],
  [{ ...rival, listKind: "WidgetList" }, "ListKindConflict", '"WidgetList" is already in use'],
];

for (const [names, reason, message] of conflicts) {
  test(`${reason}: ${message}`, () => {
    const first = established(widgets());
    const { conditions, acceptedNames } = nextCrdStatus(widgets({ names }), [first], now);
    assert.deepEqual(conditions, [
      { type: "NamesAccepted", status: "False", lastTransitionTime: now, reason, message },
      { type: "Established", status: "False", lastTransitionTime: now, reason: "NotAccepted", message: "not all names are accepted" },
    ]);
    assert.equal(acceptedNames?.plural, "gadgets");
    assert.deepEqual(servedCrdVersions({ ...widgets({ names }), status: { conditions, acceptedNames } }), []);
  });
}

test("names of another group are free", () => {
  const other = widgets({ group: "other.com" });
  assert.equal(nextCrdStatus(other, [established(widgets())], now).conditions?.[0]?.status, "True");
});

test("CRDs of protected groups have an approval condition", () => {
  const { conditions } = nextCrdStatus(widgets({ group: "x.k8s.io" }), [], now);
  const message =
    'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111';
  assert.deepEqual(conditions?.[2], {
    type: "KubernetesAPIApprovalPolicyConformant",
    status: "False",
    lastTransitionTime: now,
    reason: "MissingAnnotation",
    message,
  });
});

test("versions are preferred as Kubernetes prefers them", () => {
  const versions = ["v1beta1", "foo10", "v2", "v1alpha2", "v10", "v1", "foo1", "v1beta2", "v11beta2"];
  assert.deepEqual(
    versions.toSorted((a, b) => compareKubeAwareVersions(b, a)),
    ["v10", "v2", "v1", "v11beta2", "v1beta2", "v1beta1", "v1alpha2", "foo1", "foo10"],
  );
});

const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const spec = { type: "object", properties: { replicas: { type: "integer", default: 1 }, id: { "x-kubernetes-int-or-string": true } } };
const schema = {
  openAPIV3Schema: { type: "object", properties: { spec, status: { type: "object", properties: { replicas: { type: "integer" } } } } },
};
const several = established(
  widgets({
    versions: [
      { name: "v1beta1", served: true, storage: false, deprecated: true, schema: { openAPIV3Schema: { type: "object" } } },
      {
        name: "v1",
        served: true,
        storage: true,
        schema,
        subresources: { status: {}, scale },
        selectableFields: [{ jsonPath: ".spec.id" }],
      },
      { name: "v2", served: false, storage: false, schema },
    ],
  }),
);

test("each served version is described, the preferred one first", () => {
  const [first, second, ...more] = servedCrdVersions(several);
  assert.deepEqual(more, []);
  assert.equal(first?.version, "v1");
  assert.deepEqual([first?.hasStatus, first?.scale, first?.selectableFields], [true, scale, ["spec.id"]]);
  assert.equal(first?.warning, undefined);
  assert.deepEqual([second?.version, second?.storageVersion, second?.hasStatus], ["v1beta1", "v1", false]);
  assert.equal(second?.warning, "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget");
  const [age] = second?.additionalPrinterColumns ?? [];
  assert.deepEqual([age?.name, age?.type, age?.jsonPath], ["Age", "date", ".metadata.creationTimestamp"]);
  assert.match(age?.description ?? "", /^CreationTimestamp is a timestamp/);
});

test("the storage hash is the server's", () => {
  // As in api/discovery/apis__apps__v1.json and api__v1.json.
  assert.equal(storageVersionHash("apps", "v1", "Deployment"), "8aSe+NMegvE=");
  assert.equal(storageVersionHash("", "v1", "ConfigMap"), "qFsyl6wFWjQ=");
});

test("discovery lists the resource and its subresources", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  const found = discoveryEntries(version).map(({ name, kind, group = "" }) => `${name} ${group} ${kind}`);
  assert.deepEqual(found, ["widgets  Widget", "widgets/status  Widget", "widgets/scale autoscaling Scale"]);
  const { items } = aggregatedDiscovery([{ name: "example.com", versions: [discoveryVersion("v1", [version])] }]) as {
    items: { versions: { resources: { responseKind: unknown }[] }[] }[];
  };
  assert.deepEqual(items[0]?.versions[0]?.resources[0]?.responseKind, { group: "example.com", version: "v1", kind: "Widget" });
});

const widget: KubeObject = { apiVersion: "example.com/v1beta1", kind: "Widget", metadata: { name: "a" }, spec: { bogus: 1 } };

test("between versions only the apiVersion changes", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  assert.deepEqual(convertCustomResource(widget, version), { ...widget, apiVersion: "example.com/v1" });
  assert.equal(convertCustomResource(widget, { group: "example.com", version: "v1beta1" }), widget);
});

test("an object is read by the schema of the version", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  const { object, unknown } = decodeCustomResource(widget, version);
  assert.deepEqual(object["spec"], { replicas: 1 });
  assert.deepEqual(unknown, ["spec.bogus"]);
});

test("metadata is read as Go's types have it", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  const sent = { ...widget, metadata: { name: "a", bogus: 1, labels: { a: "b" } } };
  assert.deepEqual(decodeCustomResource(sent, version).unknown, ["metadata.bogus", "spec.bogus"]);
  assert.deepEqual(decodeCustomResource(sent, version).object.metadata, { name: "a", labels: { a: "b" } });
  const odd: unknown = { ...widget, metadata: { name: "a", annotations: { a: 1 } } };
  assert.equal(
    metadataError(odd as KubeObject),
    "json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type string",
  );
});

test("objects are checked with what scale reads from them", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  const negative = { ...widget, apiVersion: "example.com/v1", spec: { replicas: -1 } };
  assert.deepEqual(validateCustomResource(negative, version), [
    { field: ".spec.replicas", reason: "FieldValueInvalid", message: "Invalid value: -1: should be a non-negative integer" },
  ]);
  const wrongStatus = { ...widget, spec: { replicas: "x" }, status: { replicas: "x" } };
  assert.deepEqual(
    validateCustomResource(wrongStatus, version, { status: true }).map(({ field }) => field),
    ["status.replicas", ".status.replicas"],
  );
});

function refuseToCheck(): never {
  assert.fail("rules were checked");
}

test("rules are not checked on an object that is wrong in type", () => {
  const [version] = servedCrdVersions(several);
  assert.ok(version);
  const found = validateCustomResource({ ...widget, spec: { replicas: "x" } }, { ...version, scale: undefined }, { rules: refuseToCheck });
  assert.deepEqual(found.at(-1), {
    field: "<nil>",
    reason: "FieldValueInvalid",
    message:
      "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  });
});

type Document = {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, { properties: Record<string, unknown>; [key: string]: unknown }> };
};

function referencesIn(value: unknown): readonly string[] {
  const found = JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return [...found].map(([, name = ""]) => name);
}

test("the OpenAPI document is closed, names the kind, and lets kubectl find field validation", () => {
  const versions = servedCrdVersions(several).slice(0, 1);
  const document = customResourceOpenApi(versions) as unknown as Document;
  assert.deepEqual(openApiDocumentFor([{ version: "v1", custom: { crd: several } }]), document);
  const { schemas } = document.components;
  assert.deepEqual(
    referencesIn(document).filter((name) => !(name in schemas)),
    [],
  );
  const model = schemas["com.example.v1.Widget"];
  assert.deepEqual(model?.["x-kubernetes-group-version-kind"], [{ group: "example.com", version: "v1", kind: "Widget" }]);
  assert.deepEqual(Object.keys(model?.properties ?? {}).toSorted(), ["apiVersion", "kind", "metadata", "spec", "status"]);
  assert.match(JSON.stringify(model), /"id":\{"x-kubernetes-int-or-string":true,"anyOf":\[\{"type":"integer"\},\{"type":"string"\}\]\}/);
  const patch = document.paths["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"]?.["patch"];
  assert.deepEqual(patch?.["x-kubernetes-group-version-kind"], { group: "example.com", version: "v1", kind: "Widget" });
  assert.match(JSON.stringify(patch?.["parameters"]), /"name":"fieldValidation"/);
  assert.ok(document.paths["/apis/example.com/v1/widgets"]?.["get"]);
  assert.ok(document.paths["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/scale"]?.["put"]);
});
