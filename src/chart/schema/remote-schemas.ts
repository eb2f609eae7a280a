/** What is at a URL: a schema, or why there is none. */
export type RemoteSchema =
  | {
      readonly text: string;
      /** Differs when the text does. */
      readonly digest: string;
    }
  | {
      readonly problem: string;
      /** Fetching it again may help. */
      readonly isTransient: boolean;
    };

/** The schemas that others refer to over HTTP, by URL. Undefined: it has yet to be fetched. */
export type RemoteSchemas = (url: string) => RemoteSchema | undefined;

/** Fetches the schema at a URL. What goes wrong is the answer; only an abort is thrown. */
export type SchemaLoader = (url: string) => Promise<RemoteSchema>;

export const noRemoteSchemas: RemoteSchemas = (url) => ({
  problem: `HTTP request failed for ${url}: schemas are not fetched from the network`,
  isTransient: false,
});
