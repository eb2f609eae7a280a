import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import type { BundledPackage } from "../build/licences.ts";
import type { DebianPackage } from "./debian-packages.ts";

type Ingredients = {
  readonly version: string;
  readonly node: string;
  readonly kubernetes: string;
  readonly bundled: readonly BundledPackage[];
  /** Of the image alone. */
  readonly debian: readonly DebianPackage[];
};

/** What all that is packed is made of, as CycloneDX. It says nothing of when it was written, so the same parts give the same bytes. */
export function makeSbom({ version, node, kubernetes, bundled, debian }: Ingredients): Buffer {
  const bom = new Models.Bom();
  const whole = component("sluice", version, { type: Enums.ComponentType.Application, licence: "Apache-2.0" });
  bom.metadata.component = whole;
  const parts = [
    ...bundled.map((each) =>
      component(each.name, each.version, { purl: `pkg:npm/${each.name.replace("@", "%40")}@${each.version}`, licence: each.licence }),
    ),
    component("node", node, { type: Enums.ComponentType.Platform, purl: `pkg:generic/node@${node}`, licence: "MIT" }),
    component("kubernetes", kubernetes, {
      type: Enums.ComponentType.Data,
      purl: `pkg:golang/k8s.io/kubernetes@${kubernetes}`,
      licence: "Apache-2.0",
    }),
    ...new Map(debian.map((each) => [purlOf(each), each])).entries().map(([purl, { name, version }]) => component(name, version, { purl })),
  ];
  for (const part of parts) {
    bom.components.add(part);
    whole.dependencies.add(part.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return Buffer.from(`${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`);
}

type About = { readonly type?: Enums.ComponentType; readonly purl?: string; readonly licence?: string };

function component(name: string, version: string, { type = Enums.ComponentType.Library, purl, licence }: About): Models.Component {
  const made = new Models.Component(type, name, { version, bomRef: purl ?? name, ...(purl === undefined ? {} : { purl }) });
  if (licence !== undefined)
    made.licenses.add(licence.includes(" ") ? new Models.LicenseExpression(licence) : new Models.SpdxLicense(licence));
  return made;
}

function purlOf({ name, version, control }: DebianPackage): string {
  const architecture = /^Architecture: (\S+)$/m.exec(control)?.[1] ?? "all";
  return `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
}
