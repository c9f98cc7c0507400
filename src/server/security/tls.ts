/**
 * Keys and certificates of a server: read from PEM files, and read again when they change. Nodes of a cluster that has HTTPS between them
 * trust certificates that the truststore or the system trusts for the host name, and the very certificate that they have themselves.
 */
import { X509Certificate } from "node:crypto";
import { createSecureContext, type DetailedPeerCertificate, rootCertificates, type SecureContextOptions, type TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import { ConfigurationError } from "../properties.ts";
import { WatchedFile } from "./watched-file.ts";
import { shownValue } from "../../protocol/shown-value.ts";

export interface TlsConfiguration {
  readonly port: number;
  /** PEM with the private key and the certificates, the server's first. */
  readonly keystorePath: string;
  /** Of an encrypted private key. */
  readonly keystoreKey?: string;
  /** PEM with the certificates of authorities. If present, client certificates are requested. */
  readonly truststorePath?: string;
  readonly refreshMs: number;
}

interface Keys {
  readonly context: SecureContextOptions;
  readonly fingerprint: string;
}

export class Tls {
  readonly configuration: TlsConfiguration;
  readonly #keystore: WatchedFile<string>;
  readonly #truststore: WatchedFile<string> | undefined;
  readonly #onComplaint: (message: string) => void;
  #sources: readonly (string | undefined)[];
  #keys: Keys;
  #timer: NodeJS.Timeout | undefined;

  /** Throws ConfigurationError. */
  constructor(configuration: TlsConfiguration, onComplaint: (message: string) => void) {
    const { keystorePath, refreshMs, truststorePath } = configuration;
    const watched = (path: string, property: string): WatchedFile<string> => {
      try {
        return new WatchedFile({ path, refreshMs, parse: (text) => text, onComplaint });
      } catch {
        throw new ConfigurationError(`invalid value '${shownValue(path)}' for property '${property}': expected a file that can be read`);
      }
    };
    this.configuration = configuration;
    this.#onComplaint = onComplaint;
    this.#keystore = watched(keystorePath, "http-server.https.keystore.path");
    this.#truststore = truststorePath === undefined ? undefined : watched(truststorePath, "http-server.https.truststore.path");
    this.#sources = this.#read();
    try {
      this.#keys = this.#make();
    } catch (error) {
      throw new ConfigurationError(`HTTPS cannot be enabled with ${keystorePath}: ${reasonOf(error)}`);
    }
  }

  get context(): SecureContextOptions {
    return this.#keys.context;
  }

  get requestsCertificates(): boolean {
    return this.configuration.truststorePath !== undefined;
  }

  /** True if the other end has proved a certificate that is trusted here, or this server's own. */
  trusts(socket: TLSSocket): boolean {
    return socket.authorized || (socket.getPeerCertificate() as Partial<DetailedPeerCertificate>).fingerprint256 === this.#keys.fingerprint;
  }

  /** Calls back when connections from now on have other keys. */
  watch(onChange: () => void): void {
    this.#timer = setInterval(() => {
      if (this.refresh()) {
        onChange();
      }
    }, this.configuration.refreshMs);
    this.#timer.unref();
  }

  /** True if the files have changed to keys that can be used. */
  refresh(): boolean {
    const sources = this.#read();
    if (sources.every((source, index) => source === this.#sources[index])) {
      return false;
    }
    this.#sources = sources;
    try {
      this.#keys = this.#make();
      return true;
    } catch (error) {
      this.#onComplaint(`The former certificate stays in use: ${reasonOf(error)}`);
      return false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Connections to other nodes of the cluster. */
  connector(build: typeof buildConnector, timeoutMs: number): buildConnector.connector {
    return (options, callback) => {
      // Verified below, because the node's own certificate need not be signed by an authority.
      const connect = build({ ...this.#keys.context, ca: this.#trusted(), rejectUnauthorized: false, timeout: timeoutMs });
      connect(options, (...[error, socket]) => {
        if (error !== null) {
          callback(error, null);
        } else if ("getPeerCertificate" in socket && !this.trusts(socket as TLSSocket)) {
          socket.destroy();
          callback(new Error("the certificate of the node is not trusted"), null);
        } else {
          callback(null, socket);
        }
      });
    };
  }

  #trusted(): string[] {
    const { ca } = this.#keys.context;
    return [...rootCertificates, ...(typeof ca === "string" ? [ca] : [])];
  }

  #read(): readonly (string | undefined)[] {
    return [this.#keystore.value(), this.#truststore?.value()];
  }

  #make(): Keys {
    const [keystore = "", truststore] = this.#sources;
    const { keystoreKey } = this.configuration;
    const context: SecureContextOptions = {
      cert: keystore,
      key: keystore,
      minVersion: "TLSv1.2",
      ...(keystoreKey === undefined ? {} : { passphrase: keystoreKey }),
      ...(truststore === undefined ? {} : { ca: truststore }),
    };
    createSecureContext(context);
    return { context, fingerprint: new X509Certificate(keystore).fingerprint256 };
  }
}

/** OpenSSL's reason, without the contents of the file. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_OSSL_BAD_DECRYPT" || code === "ERR_MISSING_PASSPHRASE" ? `${message} (http-server.https.keystore.key)` : message;
}
