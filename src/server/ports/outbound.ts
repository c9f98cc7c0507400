/**
 * Requests to servers outside of the cluster, by undici, and the keys that AWS's own tools would use.
 */
import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Agent } from "undici";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../ports/network.ts";
import type { AccessKeys, Outbound, OutboundOptions, OutboundTls } from "../../ports/outbound.ts";
import { lowerCase, networkError } from "../transport/http-outcomes.ts";

const connectMsMax = 5_000;
const headerBytesMax = 65_536;
const azureStorageNames = ["CONNECTION_STRING", "ACCOUNT", "KEY", "SAS_TOKEN"].map((name) => `AZURE_STORAGE_${name}`);
const azureIdentityNames = ["TENANT_ID", "CLIENT_ID", "CLIENT_SECRET", "AUTHORITY_HOST"].map((name) => `AZURE_${name}`);

export class RealOutbound implements Outbound {
  /** By their TLS settings. */
  readonly #agents = new Map<string, Agent>();
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>> = process.env) {
    this.#environment = environment;
  }

  async request(request: HttpRequest, options: OutboundOptions): Promise<HttpResponse> {
    const controller = new AbortController();
    let timedOut = false;
    const timeout = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, options.timeoutMs);
    options.onAbortable?.(() => controller.abort());
    try {
      // Few servers use object stores: the library is loaded by the first request.
      const { Agent: HttpAgent, request: ask } = await import("undici");
      const key = JSON.stringify(options.tls ?? null);
      const agent =
        this.#agents.get(key) ??
        new HttpAgent({
          maxHeaderSize: headerBytesMax,
          headersTimeout: 0,
          bodyTimeout: 0,
          connectTimeout: connectMsMax,
          keepAliveTimeout: 4_000,
          ...(options.tls !== undefined && { connect: await connectOptions(options.tls) }),
        });
      this.#agents.set(key, agent);
      const answer = await ask(request.url, {
        method: request.method,
        dispatcher: agent,
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === "string" ? [name, value] : value.flatMap((one) => [name, one]),
        ),
        body: request.body.length === 0 ? null : request.body,
        signal: controller.signal,
      });
      const parts: Uint8Array[] = [];
      let length = 0;
      for await (const part of answer.body as AsyncIterable<Uint8Array>) {
        parts.push(part);
        length += part.length;
        if (length > options.bodyBytesMax) {
          controller.abort();
          throw new NetworkError("PROTOCOL_ERROR", `the response is longer than ${options.bodyBytesMax} bytes`);
        }
      }
      return { status: answer.statusCode, headers: lowerCase(answer.headers), body: Buffer.concat(parts, length) };
    } catch (error) {
      if (error instanceof NetworkError) {
        throw error;
      }
      throw networkError(error as NodeJS.ErrnoException, {
        timedOut,
        aborted: controller.signal.aborted,
        url: request.url,
        timeoutMs: options.timeoutMs,
      });
    } finally {
      clearTimeout(timeout);
    }
  }

  async accessKeys(profile: string | undefined): Promise<AccessKeys | undefined> {
    const of = (name: string): string | undefined => this.#environment[name] || undefined;
    const [accessKey, secretKey, sessionToken] = [of("AWS_ACCESS_KEY_ID"), of("AWS_SECRET_ACCESS_KEY"), of("AWS_SESSION_TOKEN")];
    if (profile === undefined && accessKey !== undefined && secretKey !== undefined) {
      return { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) };
    }
    const name = profile ?? of("AWS_PROFILE") ?? "default";
    const folder = join(of("HOME") ?? homedir(), ".aws");
    const credentials = of("AWS_SHARED_CREDENTIALS_FILE") ?? join(folder, "credentials");
    return (
      keysOfProfile(await textOf(credentials), name) ??
      keysOfProfile(await textOf(of("AWS_CONFIG_FILE") ?? join(folder, "config")), name === "default" ? name : `profile ${name}`)
    );
  }

  async azureSettings(): Promise<Readonly<Record<string, string>>> {
    const of = (name: string): string | undefined => this.#environment[name] || undefined;
    const set = (names: readonly string[], value: (name: string) => string | undefined): Readonly<Record<string, string>> =>
      Object.fromEntries(names.flatMap((name) => (value(name) === undefined ? [] : [[name, value(name) as string]])));
    const variables = set(azureStorageNames, of);
    const folder = of("AZURE_CONFIG_DIR") ?? join(of("HOME") ?? homedir(), ".azure");
    const filed = async (): Promise<Readonly<Record<string, string>>> => {
      const section = sectionOf(await textOf(join(folder, "config")), "storage");
      return set(azureStorageNames, (name) => section.get(name.slice("AZURE_STORAGE_".length).toLowerCase()) || undefined);
    };
    const identity = set(azureIdentityNames, of);
    const isGiven = Object.keys(variables).some((name) => name !== "AZURE_STORAGE_ACCOUNT") || Object.keys(identity).length > 0;
    return { ...(isGiven ? {} : await filed()), ...variables, ...identity };
  }

  async googleCredentials(file: string | undefined): Promise<string | undefined> {
    const of = (name: string): string | undefined => this.#environment[name] || undefined;
    const folder = of("CLOUDSDK_CONFIG") ?? join(of("HOME") ?? homedir(), ".config/gcloud");
    const path = file ?? of("GOOGLE_APPLICATION_CREDENTIALS") ?? join(folder, "application_default_credentials.json");
    return (await textOf(path)) || undefined;
  }

  async rsaSignature(privateKey: string, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      const key = createPrivateKey(privateKey);
      return key.asymmetricKeyType === "rsa" ? sign("sha256", bytes, key) : undefined;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}

/** Throws NetworkError if the certificates cannot be read. */
async function connectOptions({ rootCertificate, verifies }: OutboundTls): Promise<Readonly<Record<string, unknown>>> {
  if (rootCertificate === undefined) {
    return { rejectUnauthorized: verifies, timeout: connectMsMax };
  }
  try {
    return { rejectUnauthorized: verifies, timeout: connectMsMax, ca: await readFile(rootCertificate, "utf8") };
  } catch (error) {
    throw new NetworkError("PROTOCOL_ERROR", `the file of certificates cannot be read: ${(error as NodeJS.ErrnoException).code ?? ""}`);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}

/** Keys in a section of a file of AWS's tools; undefined if it has none. */
function keysOfProfile(text: string, section: string): AccessKeys | undefined {
  const values = sectionOf(text, section);
  const [accessKey, secretKey, sessionToken] = ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"].map((name) =>
    values.get(name),
  );
  return accessKey === undefined || secretKey === undefined
    ? undefined
    : { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Entries of a section by their names in lower case. */
function sectionOf(text: string, section: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let current = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line);
    const entry = /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (header !== null) {
      current = header[1] ?? "";
    } else if (current === section && entry !== null) {
      values.set((entry[1] ?? "").toLowerCase(), entry[2] ?? "");
    }
  }
  return values;
}
