import type { Dependency, Maintainer, Metadata } from "../../../chart/index.ts";
import { dict, fromPlain, GoMap, anyList, types, type GoList, type GoValue } from "../../../lang/template/index.ts";

/** `.Chart`: the fields of `Chart.yaml` under their Go names. Models helm pkg/chart/common.go MetadataAsMap */
export function chartObject(metadata: Metadata, isRoot: boolean): GoMap {
  return dict({
    Name: metadata.name,
    Home: metadata.home,
    Sources: anyList(metadata.sources),
    Version: metadata.version,
    Description: metadata.description,
    Keywords: anyList(metadata.keywords),
    Maintainers: anyList(metadata.maintainers.map(maintainerObject)),
    Icon: metadata.icon,
    APIVersion: metadata.apiVersion,
    Condition: metadata.condition,
    Tags: metadata.tags,
    AppVersion: metadata.appVersion,
    Deprecated: metadata.deprecated,
    Annotations: annotationsObject(metadata.annotations),
    KubeVersion: metadata.kubeVersion,
    Dependencies: anyList((metadata.dependencies ?? []).map(dependencyObject)),
    Type: metadata.type,
    IsRoot: isRoot,
  });
}

function maintainerObject({ name, email, url }: Maintainer): GoMap {
  return dict({ Name: name, Email: email, URL: url });
}

function annotationsObject(annotations: Readonly<Record<string, string>>): GoMap {
  const entries = Object.entries(annotations);
  return new GoMap(types.stringMap, entries, { isNil: entries.length === 0 });
}

function dependencyObject(dependency: Dependency): GoMap {
  return dict({
    Name: dependency.name,
    Version: dependency.version,
    Repository: dependency.repository,
    Condition: dependency.condition,
    Tags: anyList(dependency.tags),
    Enabled: dependency.enabled ?? false,
    ImportValues: importValues(dependency.importValues),
    Alias: dependency.alias,
  });
}

/** Resolved imports are Go maps already. */
function importValues(imports: readonly unknown[]): GoList {
  return anyList(imports.map((each): GoValue => (each instanceof GoMap ? each : fromPlain(each))));
}
