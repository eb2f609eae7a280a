import { forbidden, invalid, notSupported, required, type FieldError } from "../field-error.ts";
import { childPath, dns1035Label, itemPath } from "../schema/index.ts";
import type { Conversion } from "./definition.ts";

const reviewVersions = ["v1", "v1beta1"];

/** Models apiextensions pkg/apis/apiextensions/validation/validation.go validateCustomResourceConversion */
export function checkConversion(conversion: Conversion | undefined, path: string): readonly FieldError[] {
  if (conversion === undefined) return [];
  const { strategy = "", webhook } = conversion;
  const config = childPath(path, "webhookClientConfig");
  const versions = childPath(path, "conversionReviewVersions");
  if (strategy === "Webhook")
    return [...checkClient(webhook?.clientConfig, config), ...checkReviewVersions(webhook?.conversionReviewVersions, versions)];
  const misplaced = "should not be set when strategy is not set to Webhook";
  return [
    ...checkStrategy(strategy, childPath(path, "strategy")),
    ...(webhook?.clientConfig === undefined ? [] : [forbidden(config, misplaced)]),
    ...((webhook?.conversionReviewVersions ?? []).length === 0 ? [] : [forbidden(versions, misplaced)]),
  ];
}

function checkStrategy(strategy: string, path: string): readonly FieldError[] {
  if (strategy === "") return [required(path)];
  return strategy === "None" ? [] : [notSupported(path, strategy, ["None", "Webhook"])];
}

function checkClient(config: Readonly<Record<string, unknown>> | undefined, path: string): readonly FieldError[] {
  if (config === undefined) return [required(path, "required when strategy is set to Webhook")];
  const isOne = (config["url"] === undefined) !== (config["service"] === undefined);
  return isOne ? [] : [required(path, "exactly one of url or service is required")];
}

function checkReviewVersions(versions: readonly string[] = [], path: string): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const each = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalid(itemPath(path, index), version, "duplicate version")];
    return dns1035Label(version).map((why) => invalid(itemPath(path, index), version, why));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return each;
  return [...each, invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`)];
}
