/**
 * HTTP servers outside of the cluster, such as object stores and web servers. Requests carry no header but those of the caller.
 */
import type { HttpRequest, HttpResponse, RequestOptions } from "./network.ts";

export interface OutboundOptions extends RequestOptions {
  /** A response with a longer body fails with kind PROTOCOL_ERROR. */
  readonly bodyBytesMax: number;
}

/** Keys of an account of an object store. They must not get into logs, messages and documents. */
export interface AccessKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

export interface Outbound {
  /** Rejects with NetworkError only. A response with any status resolves; redirections are not followed. */
  request(request: HttpRequest, options: OutboundOptions): Promise<HttpResponse>;
  /**
   * The keys of AWS's environment variables; with a profile, or without the variables, those of the profile in the credentials file of
   * AWS's tools. undefined if there are none.
   */
  accessKeys(profile: string | undefined): Promise<AccessKeys | undefined>;
}
