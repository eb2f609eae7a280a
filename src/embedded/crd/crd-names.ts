import { fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, dns1035LabelErrors, dns1123SubdomainErrors, itemPath } from "../schema/index.ts";
import type { CrdNames } from "./crd.ts";

/** Validates the group of a CRD: a domain. */
export function checkCrdGroup(group: string, path: string): readonly FieldError[] {
  if (group === "") return [fieldRequired(path)];
  const wrong = dns1123SubdomainErrors(group);
  if (wrong.length > 0) return [fieldInvalid(path, group, wrong.join(","))];
  return group.includes(".") ? [] : [fieldInvalid(path, group, "should be a domain with at least one dot")];
}

/** Validates that all names of a CRD are set and well formed. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkCrdNames(names: CrdNames, path: string): readonly FieldError[] {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names;
  const all = { plural, singular, kind, listKind };
  const missing = Object.entries(all).filter(([, name]) => name === "");
  const same =
    kind !== "" && kind === listKind ? [fieldInvalid(childPath(path, "listKind"), listKind, "kind and listKind may not be the same")] : [];
  return [
    ...missing.map(([field]) => fieldRequired(childPath(path, field))),
    ...checkLabel(plural, childPath(path, "plural")),
    ...checkLabel(singular, childPath(path, "singular")),
    ...checkKind(kind, childPath(path, "kind")),
    ...checkKind(listKind, childPath(path, "listKind")),
    ...shortNames.flatMap((name, index) => checkListed(name, itemPath(childPath(path, "shortNames"), index))),
    ...same,
    ...categories.flatMap((name, index) => checkListed(name, itemPath(childPath(path, "categories"), index))),
  ];
}

function checkLabel(name: string, path: string): readonly FieldError[] {
  return name === "" ? [] : checkListed(name, path);
}

function checkListed(name: string, path: string): readonly FieldError[] {
  const wrong = dns1035LabelErrors(name);
  return wrong.length === 0 ? [] : [fieldInvalid(path, name, wrong.join(","))];
}

function checkKind(kind: string, path: string): readonly FieldError[] {
  const wrong = kind === "" ? [] : dns1035LabelErrors(kind.toLowerCase());
  return wrong.length === 0 ? [] : [fieldInvalid(path, kind, `may have mixed case, but should otherwise match: ${wrong.join(",")}`)];
}
