/** The certificates of the tests, and clients that have them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { Tls, type TlsConfiguration } from "../../../src/server/security/tls.ts";

export type CertificateName = "ca" | "server" | "encrypted" | "renewed" | "alice" | "stranger";

export function certificatePath(name: CertificateName): string {
  return fileURLToPath(new URL(`./${name}.pem`, import.meta.url));
}

export function certificate(name: CertificateName): string {
  return readFileSync(certificatePath(name), "utf8");
}

const noComplaint = (message: string): never => {
  throw new Error(message);
};

export function tlsOf(options: Partial<TlsConfiguration> = {}, onComplaint: (message: string) => void = noComplaint): Tls {
  return new Tls({ port: 0, keystorePath: certificatePath("server"), refreshMs: 60_000, ...options }, onComplaint);
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Ask {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A client that trusts the test authority and may have a certificate of its own. */
export class SecureClient {
  readonly #agent: Agent;

  constructor(own?: CertificateName) {
    const pem = own === undefined ? {} : { cert: certificate(own), key: certificate(own) };
    this.#agent = new Agent({ connect: { ca: certificate("ca"), ...pem } });
  }

  async ask(url: string, { body, headers = {}, method = "GET" }: Ask = {}): Promise<Reply> {
    const response = await request(url, { method, headers, dispatcher: this.#agent, ...(body === undefined ? {} : { body }) });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }

  /** Rows of a statement, or the text of the answer that is none. */
  async rows(uri: string, sql: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    let reply = await this.ask(`${uri}/v1/statement`, { method: "POST", body: sql, headers });
    const rows: unknown[] = [];
    for (;;) {
      if (reply.status !== 200) {
        return `${reply.status} ${reply.text}`;
      }
      const {
        data = [],
        error,
        nextUri,
      } = JSON.parse(reply.text) as {
        data?: unknown[];
        nextUri?: string;
        error?: { errorName: string; message: string };
      };
      rows.push(...data);
      if (error !== undefined) {
        return `${error.errorName}: ${error.message}`;
      }
      if (nextUri === undefined) {
        return rows;
      }
      reply = await this.ask(nextUri, { headers });
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

export function basic(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}
