import { validateWebhookClient } from "../builtin/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, dns1035LabelErrors, itemPath } from "../schema/index.ts";
import type { Conversion } from "./crd.ts";

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
    ...(webhook?.clientConfig === undefined ? [] : [fieldForbidden(config, misplaced)]),
    ...((webhook?.conversionReviewVersions ?? []).length === 0 ? [] : [fieldForbidden(versions, misplaced)]),
  ];
}

function checkStrategy(strategy: string, path: string): readonly FieldError[] {
  if (strategy === "") return [fieldRequired(path)];
  return strategy === "None" ? [] : [fieldNotSupported(path, strategy, ["None", "Webhook"])];
}

function checkClient(config: Readonly<Record<string, unknown>> | undefined, path: string): readonly FieldError[] {
  if (config === undefined) return [fieldRequired(path, "required when strategy is set to Webhook")];
  return validateWebhookClient(config, path);
}

function checkReviewVersions(given: readonly string[] | null | undefined, path: string): readonly FieldError[] {
  const versions = given ?? [];
  if (versions.length === 0) return [fieldRequired(path)];
  const each = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [fieldInvalid(itemPath(path, index), version, "duplicate version")];
    return dns1035LabelErrors(version).map((why) => fieldInvalid(itemPath(path, index), version, why));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return each;
  return [...each, fieldInvalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`)];
}
