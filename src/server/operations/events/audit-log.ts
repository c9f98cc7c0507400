/**
 * The audit log: a JSON object on a line of its own for each statement that begins or ends, and for each request that was refused. It has
 * neither credentials nor literals of statements.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { DeliveryCounts } from "../metrics/node-metrics.ts";
import type { EventConsumer } from "./event-consumer.ts";
import { LineFile, type LineFileOptions } from "./line-file.ts";
import { statementPreview } from "./statement-preview.ts";

/** A request with a status of 401 or 403. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly method: string;
  /** Without the query, which may hold a slug. */
  readonly path: string;
  readonly remoteAddress: string;
  /** Undefined if the client has not been authenticated. */
  readonly user: string | undefined;
}

const statementLengthMax = 1000;
const reasonLengthMax = 500;
const pathLengthMax = 200;

export class AuditLog implements EventConsumer {
  readonly #file: LineFile;
  readonly #wallMillis: () => number;

  constructor(options: Omit<LineFileOptions, "consumer">, wallMillis: () => number = () => Date.now()) {
    this.#file = new LineFile({ ...options, consumer: "audit-log" });
    this.#wallMillis = wallMillis;
  }

  get counts(): DeliveryCounts {
    return this.#file.counts;
  }

  onQueryEvent({ info, kind, measures }: QueryEvent): void {
    const { failureInfo, query, queryId, session } = info;
    const ended = {
      outcome: measures.errorName ?? "FINISHED",
      ...(failureInfo?.message && { reason: failureInfo.message.slice(0, reasonLengthMax) }),
    };
    this.#add(kind === "created" ? "statement-began" : "statement-ended", {
      queryId,
      user: session.user,
      principal: session.principal,
      originalUser: session.originalUser,
      remoteAddress: session.remoteUserAddress,
      source: session.source,
      statement: statementPreview(query, statementLengthMax),
      ...(kind === "completed" && ended),
    });
  }

  refused({ method, path, reason, remoteAddress, status, user }: Refusal): void {
    const cut = { path: path.slice(0, pathLengthMax), reason: reason.slice(0, reasonLengthMax) };
    this.#add("request-refused", { user, remoteAddress, method, status, ...cut });
  }

  close(waitMs: number): Promise<void> {
    return this.#file.close(waitMs);
  }

  #add(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.#file.add({ time: new Date(this.#wallMillis()).toISOString(), event, ...fields });
  }
}
