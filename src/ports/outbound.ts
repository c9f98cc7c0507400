/**
 * HTTP servers outside of the cluster, such as object stores and web servers. Requests carry no header but those of the caller.
 */
import type { HttpRequest, HttpResponse, RequestOptions } from "./network.ts";

/** How the server of an https address is checked. */
export interface OutboundTls {
  /** False accepts certificates that cannot be verified. */
  readonly verifies: boolean;
  /** File of the certificates of authorities, in PEM; those of the system if absent. */
  readonly rootCertificate?: string;
}

export interface OutboundOptions extends RequestOptions {
  /** The system's authorities are asked if absent. */
  readonly tls?: OutboundTls;
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
  /**
   * What the tools of Azure find on the host, by the names of their environment variables: AZURE_STORAGE_CONNECTION_STRING, _ACCOUNT,
   * _KEY and _SAS_TOKEN, AZURE_TENANT_ID, _CLIENT_ID, _CLIENT_SECRET and _AUTHORITY_HOST. Without the variables of a storage account,
   * those of the section `storage` in the configuration file of Azure's command line.
   */
  azureSettings(): Promise<Readonly<Record<string, string>>>;
  /**
   * The text of a file of credentials of Google: of this one, else of GOOGLE_APPLICATION_CREDENTIALS, else that of Google's command line.
   * undefined if it cannot be read.
   */
  googleCredentials(file: string | undefined): Promise<string | undefined>;
  /** RSASSA-PKCS1-v1_5 with SHA-256 by a private key in PEM; undefined if it is none. */
  rsaSignature(privateKey: string, bytes: Uint8Array): Promise<Uint8Array | undefined>;
}
