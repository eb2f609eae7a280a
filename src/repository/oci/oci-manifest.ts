import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, isFields, listAt, numberAt, stringAt } from "../../core/object/index.ts";

/** A descriptor of content in a registry. */
export type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number };

export const mediaTypes = {
  manifest: "application/vnd.oci.image.manifest.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
  config: "application/vnd.cncf.helm.config.v1+json",
  chart: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
  provenance: "application/vnd.cncf.helm.chart.provenance.v1.prov",
  legacyChart: "application/tar+gzip",
} as const;

/** The accepted media types of manifests. */
export const acceptedManifests = [mediaTypes.manifest, mediaTypes.index].join(", ");

/** A manifest lists the parts of one artifact, an index lists manifests. */
type OciManifest =
  | { readonly kind: "artifact"; readonly parts: readonly Descriptor[] }
  | { readonly kind: "index"; readonly manifests: readonly Descriptor[] };

export function readManifest(text: string, contentType: string, what: string): OciManifest {
  const value = jsonIn(text, what);
  const mediaType = stringAt(value, "mediaType", contentType.split(";", 1)[0]?.trim() ?? "");
  if (mediaType === mediaTypes.index) return { kind: "index", manifests: listAt(value, "manifests").map(descriptorIn) };
  const config = fieldsAt(value, "config");
  const parts = [...(Object.keys(config).length > 0 ? [config] : []), ...listAt(value, "layers")].map(descriptorIn);
  return { kind: "artifact", parts };
}

/** Finds the chart layer. Models helm pkg/registry/client.go processChartPull */
export function chartLayerOf(parts: readonly Descriptor[], warn: (line: string) => void): Descriptor {
  const known = parts.filter(({ mediaType }) =>
    [mediaTypes.config, mediaTypes.chart, mediaTypes.legacyChart].some((type) => type === mediaType),
  );
  if (known.length < 2) {
    const others = parts.map(({ mediaType }) => mediaType).join(", ");
    const found = `descriptors found: ${known.length}${others === "" ? "" : ` (the artifact holds ${others}: is it a chart?)`}`;
    throw new Fault(`manifest does not contain minimum number of descriptors (2), ${found}`, undefined, { final: true });
  }
  if (!known.some(({ mediaType }) => mediaType === mediaTypes.config))
    throw new Fault(`could not load config with mediatype ${mediaTypes.config}`, undefined, { final: true });
  const chart = known.findLast(({ mediaType }) => mediaType !== mediaTypes.config);
  if (chart === undefined)
    throw new Fault(`manifest does not contain a layer with mediatype ${mediaTypes.chart}`, undefined, { final: true });
  if (chart.mediaType === mediaTypes.legacyChart) warn(`chart media type ${mediaTypes.legacyChart} is deprecated`);
  return chart;
}

function jsonIn(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Fault(`${what}: the registry answered with something that is no manifest: check the address`, undefined, { final: true });
}

function descriptorIn(value: unknown): Descriptor {
  return { mediaType: stringAt(value, "mediaType", ""), digest: stringAt(value, "digest", ""), size: numberAt(value, "size", 0) };
}
