/**
 * Connections to a cluster of Trino, Presto or Orrery by the statement client. A connection is a session: each statement is a query of the
 * cluster, and nothing is sent before the first.
 */
import { ClientNetwork } from "../../client/http.ts";
import { platformClock } from "../../client/fetch.ts";
import { ClientError } from "../../client/requester.ts";
import { clientSession } from "../../client/session.ts";
import { StatementClient, type StatementRun } from "../../client/statement-client.ts";
import {
  type DatabaseAddress,
  type DatabaseConnection,
  type DatabaseCursor,
  DatabaseError,
  type DatabaseRow,
  type DatabaseValue,
  type DescribedColumn,
} from "../../ports/databases.ts";
import type { HttpRequest, HttpResponse, Network, RequestOptions } from "../../ports/network.ts";

const userDefault = "orrery";

export function connectCluster(address: DatabaseAddress, family: "trino" | "presto"): DatabaseConnection {
  return new ClusterConnection(address, family);
}

class ClusterConnection implements DatabaseConnection {
  readonly #network: Network;
  readonly #client: () => StatementClient;
  readonly #peer: string;
  #run: StatementRun | undefined;
  #isUsable = true;
  /** Fails what is awaited of the cluster. */
  #endWait: (() => void) | undefined;

  constructor(address: DatabaseAddress, family: "trino" | "presto") {
    const { host, port, database, tls, user = userDefault, connectTimeoutMs, encoding } = address;
    const origin = `${tls.mode === "disable" ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
    const network = networkOf(address, origin);
    this.#network = network;
    this.#peer = `${host}:${port}`;
    // Statements do not change the session of later ones.
    this.#client = () =>
      new StatementClient({
        network,
        clock: platformClock(),
        server: origin,
        family,
        session: clientSession(user, { source: "orrery", catalog: database }),
        submitRetryMsMax: connectTimeoutMs,
        ...(encoding !== undefined && { queryDataEncodings: [encoding] }),
      });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async query(sql: string): Promise<readonly DatabaseRow[]> {
    const run = this.#start(sql);
    const rows: DatabaseRow[] = [];
    while (await this.#advance(run)) {
      for (const row of run.rows) {
        rows.push(row.map(textOf));
      }
    }
    return rows;
  }

  async describe(sql: string): Promise<readonly DescribedColumn[]> {
    const run = this.#start(sql);
    while (run.columns === undefined && (await this.#advance(run))) {
      // The columns come when the statement is planned.
    }
    await this.#unlessClosed(run.cancel());
    return (run.columns ?? []).map(({ name, type }) => ({ name, type: { text: type } }));
  }

  open(sql: string): DatabaseCursor {
    const run = this.#start(sql);
    let rows: StatementRun["rows"] = [];
    let next = 0;
    return {
      read: async (rowsMax) => {
        while (next >= rows.length && (await this.#advance(run))) {
          rows = run.rows;
          next = 0;
        }
        const batch = rows.slice(next, next + rowsMax).map((row) => row.map(textOf));
        next += batch.length;
        return batch;
      },
      close: async () => {
        rows = [];
        await this.#unlessClosed(run.cancel());
      },
    };
  }

  cancel(): void {
    void this.#run?.cancel();
  }

  /** The cluster is still told that its query is over, as soon as it has answered. */
  close(): void {
    this.#isUsable = false;
    this.#endWait?.();
    const ended = this.#run?.cancel() ?? Promise.resolve();
    void ended.then(() => this.#network.close());
  }

  #start(sql: string): StatementRun {
    this.#run = this.#client().submit(sql);
    return this.#run;
  }

  /** False at the end. Throws DatabaseError. */
  async #advance(run: StatementRun): Promise<boolean> {
    let isMore: boolean;
    try {
      isMore = await this.#unlessClosed(run.follow());
    } catch (error) {
      if (error instanceof ClientError) {
        throw new DatabaseError(run.results === undefined ? "CONNECT" : "LOST", error.message);
      }
      throw error;
    }
    if (run.error !== undefined) {
      const { errorName, message } = run.error;
      throw new DatabaseError("SERVER", `Query failed (#${run.queryId}): ${errorName}: ${message}`, errorName);
    }
    if (run.state === "CANCELED") {
      throw new DatabaseError("SERVER", `Query failed (#${run.queryId ?? ""}): USER_CANCELED: Query was canceled`, "USER_CANCELED");
    }
    return isMore;
  }

  /** A submission without an answer is waited for, because only its answer has the address for the cancellation: but not by the reader. */
  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new DatabaseError("LOST", `The connection to ${this.#peer} was lost: it was closed`));
      if (!this.#isUsable) {
        end();
      }
      this.#endWait = end;
      work.then(resolve, reject);
    });
  }
}

function textOf(value: unknown): DatabaseValue {
  return typeof value === "string" ? value : value === null || value === undefined ? null : jsonText(value);
}

/** JSON, with the sign of zero. */
function jsonText(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(jsonText).join(",")}]`;
  }
  return typeof value === "object" && value !== null
    ? `{${Object.entries(value)
        .map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`)
        .join(",")}}`
    : JSON.stringify(value ?? null);
}

/** Credentials go to the address of the catalog alone, wherever the cluster's answers point. */
function networkOf({ tls, user = userDefault, password }: DatabaseAddress, origin: string): Network {
  const network = new ClientNetwork({
    insecure: tls.mode === "require",
    ...(tls.rootCertificate !== undefined && { truststorePath: tls.rootCertificate }),
  });
  if (password === undefined) {
    return network;
  }
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return {
    selfUri: network.selfUri,
    request: (request: HttpRequest, options: RequestOptions): Promise<HttpResponse> =>
      network.request(
        request.url.startsWith(`${origin}/`) ? { ...request, headers: { ...request.headers, authorization } } : request,
        options,
      ),
    serve: (handler) => network.serve(handler),
    close: () => network.close(),
  };
}
