import type { Cluster } from "../kube/index.ts";
import type { OpenKubeconfig } from "../sveltos/fleet/index.ts";
import type { ActionList } from "./action/action-list.ts";
import type { ItemChange } from "./api/index.ts";
import type { NoticeOptions } from "./live-view.ts";
import type { SharedInformers } from "./shared-informers.ts";

/** What a view is made from, and where its items go. All of it is done as the visitor. */
export type ViewContext = {
  readonly cluster: Cluster;
  /** Informers that all views of the visitor share. */
  readonly informers: SharedInformers;
  /** Opens managed clusters by the kubeconfigs that the visitor may read. */
  readonly openManaged: OpenKubeconfig;
  /** What the visitor has started in this cluster. Absent: nothing can be started. */
  readonly actions?: ActionList;
  /** Changes the items of the view. What is set to what it is already is not sent. */
  readonly publish: (change: ItemChange) => void;
  /** Says what the visitor has to know, by a key of its own; undefined takes it back. */
  readonly notice: (key: string, text: string | undefined, options?: NoticeOptions) => void;
  /** Aborts when nobody looks any more. */
  readonly signal: AbortSignal;
};
