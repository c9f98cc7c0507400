/** The public client: one session at a server, and its statements. It depends on ports only; index.ts gives it those of the platform. */
import type { Clock } from "../ports/clock.ts";
import type { Network } from "../ports/network.ts";
import { executed, immediate, type Parameter } from "./parameters.ts";
import { type AbortSignalLike, type Progress, Query } from "./query.ts";
import { type ClientSession, clientSession } from "./session.ts";
import { StatementClient } from "./statement-client.ts";
import type { IntegerMode } from "./values.ts";

export interface SessionOptions {
  /** User name; `anonymous` if absent. */
  readonly user?: string;
  /** Name of the program; `orrery-client` if absent. */
  readonly source?: string;
  readonly catalog?: string;
  readonly schema?: string;
  /** For example `Europe/Berlin`; the server's if absent. */
  readonly timeZone?: string;
  readonly clientInfo?: string;
  readonly clientTags?: readonly string[];
  /** Session properties; one of a catalog is `catalog.name`. */
  readonly properties?: Readonly<Record<string, string>>;
  /** How SQL's bigint arrives; `bigint` if absent. */
  readonly integers?: IntegerMode;
  /** Headers of the protocol: `X-Engine-`, `X-Presto-` or `X-Trino-`; `engine` if absent. */
  readonly family?: "engine" | "presto" | "trino";
  /** Receives rows as compressed segments of Trino's spooled protocol. Only with the family `trino`. */
  readonly spooled?: boolean;
}

/** A session at the server behind a network. */
export interface Connection {
  readonly network: Network;
  readonly clock: Clock;
  /** `http://host:port`; relative, such as an empty text, in a browser. */
  readonly server: string;
}

export interface QueryOptions {
  /** Values of the `?` in the statement, in order. */
  readonly parameters?: readonly Parameter[];
  /** Ends the query when it is aborted; whoever reads the rows gets the signal's reason. */
  readonly signal?: AbortSignalLike;
  /** Called with each answer of the server. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The session as the statements so far have left it. */
export interface SessionState {
  readonly user: string;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
  readonly preparedStatements: Readonly<Record<string, string>>;
  /** Defined within a transaction. */
  readonly transactionId: string | undefined;
}

const preparedName = "orrery_client_statement";

/**
 * A session. USE, SET SESSION, PREPARE and START TRANSACTION apply to later statements of the same client. Statements may run at the same
 * time.
 */
export class Client {
  readonly #connection: Connection;
  readonly #statements: StatementClient;
  readonly #integers: IntegerMode;
  readonly #family: "engine" | "presto" | "trino";

  constructor(connection: Connection, options: SessionOptions = {}) {
    this.#connection = connection;
    this.#integers = options.integers ?? "bigint";
    this.#family = options.family ?? "engine";
    this.#statements = new StatementClient({
      ...connection,
      session: sessionOf(options),
      family: this.#family,
      ...(options.spooled === true ? { queryDataEncodings: ["json+lz4", "json"] } : {}),
    });
  }

  get session(): SessionState {
    const { user, catalog, schema, properties, preparedStatements, transactionId } = this.#statements.session;
    return { user, catalog, schema, properties, preparedStatements, transactionId };
  }

  /** The statement is sent when the result is first asked for something. It has no semicolon at its end. */
  query(sql: string, options: QueryOptions = {}): Query {
    const run = options.parameters === undefined ? this.#statements.submit(sql) : this.#withParameters(sql, options.parameters);
    return new Query(run, { integers: this.#integers, signal: options.signal, onProgress: options.onProgress });
  }

  /** Closes connections that are kept open. Running statements fail. */
  async close(): Promise<void> {
    await this.#connection.network.close();
  }

  /** Presto has no EXECUTE IMMEDIATE: there the statement is prepared in a session of its own. */
  #withParameters(sql: string, parameters: readonly Parameter[]): ReturnType<StatementClient["submit"]> {
    if (this.#family !== "presto") {
      return this.#statements.submit(immediate(sql, parameters));
    }
    const { session } = this.#statements;
    const preparedStatements = { ...session.preparedStatements, [preparedName]: sql };
    const statements = new StatementClient({ ...this.#connection, family: "presto", session: { ...session, preparedStatements } });
    return statements.submit(executed(preparedName, parameters));
  }
}

function sessionOf(options: SessionOptions): ClientSession {
  const { catalog, schema, timeZone, clientInfo } = options;
  return clientSession(options.user ?? "anonymous", {
    source: options.source ?? "orrery-client",
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(clientInfo === undefined ? {} : { clientInfo }),
    clientTags: options.clientTags ?? [],
    properties: options.properties ?? {},
  });
}
