import type { Fields } from "../../core/object/index.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { AdmittedView } from "./admission.ts";
import type { DeleteOptions } from "./api-client.ts";

/** The options of a write. */
export type ApiServerWriteOptions = {
  /** The field manager that owns the fields which the write sets. */
  readonly manager: string;
  /** The subresource that is written. Default: the object itself, without its status. */
  readonly subresource?: string;
  /** Runs every stage but storage. */
  readonly dryRun?: boolean;
  /** The length of the request's body. Default: 0, a write of an embedded controller. */
  readonly sentBytes?: number;
  /** The managedFields are up to date: server-side apply has computed them. */
  readonly owned?: boolean;
  /** Who writes. Default: a component of the cluster. */
  readonly user?: UserInfo;
  /** The query's part of CreateOptions and UpdateOptions, as admission sees them. Default: the field manager. */
  readonly requestOptions?: Fields;
  /** What admission sees instead of the object, where the subresource has a kind of its own. Default: the object. */
  readonly admittedAs?: AdmittedView;
  /** Warns the client. Default: nobody listens. */
  readonly warn?: (message: string) => void;
  /** An embedded controller writes: its changes are valid, and the spec of its Pod was validated as a template. */
  readonly trusted?: boolean;
  /** The API server writes by itself, past webhooks and policies. Default: false. */
  readonly internal?: boolean;
};

/** The options of a deletion that a client asks for. */
export type ApiServerDeleteOptions = DeleteOptions &
  Pick<ApiServerWriteOptions, "dryRun" | "user" | "requestOptions" | "warn" | "internal"> & {
    /** The object goes with its collection: the request does not name it. Default false. */
    readonly isCollection?: boolean;
  };
