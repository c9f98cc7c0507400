/**
 * The server that statements go to. The shell can switch to another one; the session's user and properties stay.
 */
import type { ClientSession } from "../client/session.ts";
import { StatementClient } from "../client/statement-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Network } from "../ports/network.ts";

export interface Endpoint {
  /** `http://host:port` */
  readonly server: string;
  readonly network: Network;
}

export interface ConnectionOptions {
  readonly clock: Clock;
  /** How long a refused connection is retried, in milliseconds. */
  readonly submitRetryMsMax: number;
}

export class Connection {
  readonly #options: ConnectionOptions;
  #endpoint: Endpoint;
  #client: StatementClient;

  constructor(endpoint: Endpoint, session: ClientSession, options: ConnectionOptions) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#client = this.#clientFor(session);
  }

  get server(): string {
    return this.#endpoint.server;
  }

  get client(): StatementClient {
    return this.#client;
  }

  get session(): ClientSession {
    return this.#client.session;
  }

  /** A client with a session of its own, for questions of the shell itself; its statements change nothing here. */
  asking(session: ClientSession = this.session): StatementClient {
    return this.#clientFor(session);
  }

  open(endpoint: Endpoint, session: ClientSession): void {
    this.#endpoint = endpoint;
    this.#client = this.#clientFor(session);
  }

  #clientFor(session: ClientSession): StatementClient {
    return new StatementClient({ ...this.#options, ...this.#endpoint, session });
  }
}
