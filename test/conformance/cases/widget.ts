import type { Json } from "../../../src/core/object/index.ts";
import { httpPost, type RequestStep, type CaseStep } from "../conformance-case.ts";

/** The custom kind that the cases define: Widgets, in the group of the case. */
export const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const widgetsPath = "/apis/{group}/v1/namespaces/{ns}/widgets";
export const widgetPath = `${widgetsPath}/a`;

type Schema = { readonly [field: string]: Json };

/** A CRD of Widgets with one version, its spec and status as given. */
export const widgetCrdOf = (spec: Schema, more: { readonly version?: Schema; readonly spec?: Schema } = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.{group}" },
  spec: {
    group: "{group}",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", ...spec }, status: { type: "object", properties: { phase: { type: "string" } } } },
          },
        },
        ...more.version,
      },
    ],
    ...more.spec,
  },
});

export const establishSteps = (body: Json): CaseStep[] => [
  httpPost(crdsPath, body, { show: ["metadata.name"] }),
  { waitFor: `${crdsPath}/widgets.{group}`, until: { "condition:Established": "True" }, show: ["metadata.name"] },
];
export const widget = (spec: Schema, metadata: Schema = {}) => ({
  apiVersion: "{group}/v1",
  kind: "Widget",
  metadata: { name: "a", ...metadata },
  spec,
});
export const sizeSchema = { properties: { size: { type: "integer" }, name: { type: "string" } } };
export const refusedWidget = (spec: Schema, expect = 422): RequestStep => httpPost(widgetsPath, widget(spec), { expect });
