import { httpDelete, httpGet, type ConformanceCase } from "../conformance-case.ts";
import { crdsPath, establishSteps, sizeSchema, widgetCrdOf } from "./widget.ts";

const apiServicesPath = "/apis/apiregistration.k8s.io/v1/apiservices";
const flowControlPath = "/apis/flowcontrol.apiserver.k8s.io/v1";
const whole = [
  "metadata.name",
  "metadata.labels",
  "metadata.annotations",
  "metadata.generation",
  "metadata.managedFields",
  "spec",
  "status",
];

/** Objects that every cluster has from its start. */
export const bootstrapCases: readonly ConformanceCase[] = [
  {
    id: "bootstrap/apiservices",
    title: "the groups of the server itself are local APIServices",
    steps: [httpGet(`${apiServicesPath}?labelSelector=kube-aggregator.kubernetes.io/automanaged%3Donstart`, { show: whole })],
  },
  {
    id: "bootstrap/flow-schemas",
    title: "the configuration of priority and fairness",
    steps: [
      httpGet(`${flowControlPath}/flowschemas`, { show: whole }),
      httpGet(`${flowControlPath}/prioritylevelconfigurations`, { show: whole }),
    ],
  },
  {
    id: "bootstrap/crd-apiservices",
    title: "the groups of CRDs have APIServices as long as the CRD serves them",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      {
        waitFor: `${apiServicesPath}/v1.{group}`,
        until: { "condition:Available": "True" },
        show: ["metadata.labels", "spec", "status"],
      },
      httpDelete(`${crdsPath}/widgets.{group}`, undefined, { show: [] }),
      { waitFor: `${apiServicesPath}/v1.{group}`, until: "gone" },
    ],
  },
];
