import { configMap, configMapsPath, httpDelete, httpGet, httpPost, type ConformanceCase } from "../conformance-case.ts";
import { establishSteps, sizeSchema, widget, widgetCrdOf, widgetPath, widgetsPath } from "./widget.ts";

const asMetadata = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json" };
const asMetadataList = { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json" };
const labels = { mine: "x" };

/** Objects by their metadata alone, as informers of metadata ask for them. */
export const metadataCases: readonly ConformanceCase[] = [
  {
    id: "metadata/answers",
    title: "the metadata of an object, of a list and of a write",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }, { labels }), {
        headers: { ...asMetadata, "content-type": "application/json" },
      }),
      httpPost(configMapsPath, configMap("b", {}, { labels }), { show: [] }),
      httpGet(`${configMapsPath}/a`, { headers: asMetadata }),
      httpGet(`${configMapsPath}?labelSelector=mine`, { headers: asMetadataList }),
      httpGet(`${configMapsPath}?labelSelector=mine&limit=1`, { headers: asMetadataList, show: ["metadata"] }),
      httpGet(`${configMapsPath}?labelSelector=none`, { headers: asMetadataList }),
      httpGet(configMapsPath, { headers: asMetadata, expect: 406 }),
      httpGet(`${configMapsPath}/a`, { headers: asMetadataList, expect: 406 }),
      httpGet(`${configMapsPath}/absent`, { headers: asMetadata, expect: 404 }),
      httpGet(`${configMapsPath}/a`, {
        headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1" },
        show: ["kind", "apiVersion"],
      }),
      httpDelete(`${configMapsPath}/a`, undefined, { headers: asMetadata }),
    ],
  },
  {
    id: "metadata/watch",
    title: "a watch of metadata, with its bookmark",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }, { labels }), { show: [] }),
      {
        watch: `${configMapsPath}?watch=true&labelSelector=mine&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        name: "maps",
        headers: asMetadata,
      },
      { events: "maps", until: { count: 2 } },
      httpDelete(`${configMapsPath}/a`, undefined, { show: [] }),
      { events: "maps", until: { type: "DELETED" } },
    ],
  },
  {
    id: "metadata/custom",
    title: "the metadata of custom resources",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, widget({ size: 3 }), { show: [] }),
      httpGet(widgetPath, { headers: asMetadata }),
      httpGet(widgetsPath, { headers: asMetadataList }),
      httpGet(widgetsPath, { headers: asMetadata, expect: 406 }),
    ],
  },
];
