import { stringAt, type Fields } from "../../../core/object/index.ts";

/** Whether one of the tolerations tolerates this taint. Models k8s.io/api core/v1/toleration.go ToleratesTaint */
export function isTolerated(tolerations: readonly Fields[], taint: Fields): boolean {
  return tolerations.some((toleration) => {
    const effect = stringAt(toleration, "effect", "");
    const key = stringAt(toleration, "key", "");
    if (effect !== "" && effect !== taint["effect"]) return false;
    if (key !== "" && key !== taint["key"]) return false;
    const operator = stringAt(toleration, "operator", "Equal");
    return operator === "Exists" || stringAt(toleration, "value", "") === stringAt(taint, "value", "");
  });
}
