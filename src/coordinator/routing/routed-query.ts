/**
 * A query that another cluster runs. This coordinator has admitted it; it submits the statement there as the client wrote it, follows the
 * pages and passes the rows on as they are, in step with the client: as the cluster repeats its last answer only, it is asked for the next
 * one when the client has all rows before it. So another incarnation of this coordinator can go on. The end here ends the query there.
 */
import { ClientError } from "../../client/requester.ts";
import { divideRows, type RawRows } from "../../client/raw-rows.ts";
import { StatementClient, type StatementRun } from "../../client/statement-client.ts";
import { typeOfText } from "../../connectors/shared/remote/statement/types.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import type { FailureInfo } from "../../execution/task/api.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { retryPolicy } from "../../planner/session-properties.ts";
import type { Outbound } from "../../ports/outbound.ts";
import type { Ports } from "../../ports/ports.ts";
import { QueryError } from "../../protocol/errors.ts";
import { addWarnings } from "../../protocol/documents/warnings.ts";
import type { HeaderFamily } from "../../protocol/http/headers.ts";
import type { ColumnDocument, QueryResults, StatementStats } from "../../protocol/documents/statement.ts";
import { VARCHAR } from "../../types/type.ts";
import type { RoutedPosition } from "../../protocol/documents/query-journal.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import type { Query } from "../query/query.ts";
import { queuedStatistics } from "../query/query-statistics.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { lost, otherRows, restarted } from "../recovery/resumption.ts";
import { chainRulesOf } from "../results/chain-rules.ts";
import { GivenRows } from "../results/given-rows.ts";
import { RowChunks } from "../results/row-chunks.ts";
import { isLoss, retryDelayMs, type RetryConfig } from "../scheduler/retry-policy.ts";
import { clusterNetwork, originOf } from "./cluster-network.ts";
import type { RoutedCluster } from "./query-routing.ts";
import { clientFailure, remoteFailure } from "./remote-failures.ts";
import { effectsOf, remoteSession } from "./remote-session.ts";
import type { Routed } from "./routed.ts";

export interface RoutedQueryOptions {
  readonly ports: Pick<Ports, "clock" | "log">;
  readonly outbound: Outbound;
  readonly query: Query;
  /** As the client wrote it. */
  readonly sql: string;
  readonly cluster: RoutedCluster;
  readonly memory: MemoryContext;
  /** Time allowed for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly retry: RetryConfig;
  /** The statement only reads: it may be submitted twice. */
  readonly isRead: boolean;
  /** Where a former incarnation has left it. */
  readonly begun: RoutedPosition | undefined;
  /** Undefined if queries do not survive the coordinator. */
  readonly journal: Pick<QueryJournal, "route"> | undefined;
}

/** Bytes of a row that is written to the journal, at most. */
const heldBytesMax = 64 * 1024;

const comma = 0x2c;

export class RoutedQuery implements Routed {
  readonly #options: RoutedQueryOptions;
  readonly #rows: RowChunks;
  readonly #holdsLast: boolean;
  readonly #client: StatementClient;
  readonly #retry: RetryConfig;
  readonly family: HeaderFamily;
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #run: StatementRun | undefined;
  #results: QueryResults | undefined;
  #rowCount = 0;
  #byteCount = 0;
  /** Runs that were lost. */
  #lost = 0;
  #firstLoss: FailureInfo | undefined;
  #peakBytes = 0;
  /** Defined until the cluster has answered to this incarnation. */
  #begun: RoutedPosition | undefined;
  /** Rows that were skipped; undefined once all that the client has were. */
  #skipped: GivenRows | undefined;

  constructor(options: RoutedQueryOptions) {
    const { cluster, memory, outbound, ports, query, requestTimeoutMs, retry } = options;
    const { address, errorDurationMs } = cluster;
    this.#options = options;
    this.family = address.kind === "presto" ? "presto" : "trino";
    this.#begun = options.begun;
    this.#holdsLast = !chainRulesOf(query.session.family).endsEmpty;
    this.#rows = new RowChunks({
      memory,
      given: query.given,
      holdsLast: this.#holdsLast,
      divide: divideRows,
    });
    this.#retry = { ...retry, policy: retryPolicy(query.session.properties) ?? retry.policy };
    this.#client = new StatementClient({
      network: clusterNetwork(outbound, address),
      clock: ports.clock,
      server: originOf(address),
      family: this.family,
      session: remoteSession(query.session),
      keepsRowsRaw: true,
      requestTimeoutMs,
      submitTimeoutMs: requestTimeoutMs,
      submitRetryMsMax: errorDurationMs,
      pollRetryMsMax: errorDurationMs,
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get cluster(): string {
    return this.#options.cluster.name;
  }

  get remote(): Routed["remote"] {
    const known = this.#results ?? (this.#begun && { ...this.#begun, id: this.#begun.queryId });
    return known === undefined ? undefined : { queryId: known.id, infoUri: known.infoUri };
  }

  get stats(): StatementStats | undefined {
    const stats = this.#results?.stats;
    return stats === undefined || this.#peakBytes === 0 ? stats : { ...stats, peakMemoryBytes: this.#peakBytes };
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  get columns(): readonly ColumnDocument[] | undefined {
    return this.#run?.columns;
  }

  get updateCount(): number | bigint | undefined {
    return this.#results?.updateCount;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get byteCount(): number {
    return this.#byteCount;
  }

  get cancelableStage(): number | undefined {
    const uri = this.#results?.partialCancelUri;
    return uri === undefined || this.#options.query.done ? undefined : stageIn(uri);
  }

  cancelStage(): void {
    void this.#run?.cancelLeafStage();
  }

  giveUp(): void {
    this.#run?.giveUp();
  }

  /** Expects a query in PLANNING. Resolves when it has ended there and here. */
  async run(): Promise<void> {
    const { query } = this.#options;
    query.routed = this;
    query.results = this.#rows;
    query.onEnd(() => this.#ended());
    query.to("STARTING");
    try {
      for (let loss = await this.#attempt(); loss !== undefined && !query.done; loss = await this.#attempt()) {
        const reason = this.#isUnknownThere(loss) ? undefined : isLoss(loss) ? this.#whyNotAgain() : "no loss";
        if (reason !== undefined) {
          const { errorName } = loss;
          this.#options.ports.log.info("query-not-run-again", { queryId: query.id, attempt: this.#attemptNumber, errorName, reason });
          query.fail(reason === "attempts" ? (this.#firstLoss ?? loss) : loss);
          return;
        }
        await this.#pause(loss);
      }
    } catch (error) {
      // Before the query's memory is given back.
      query.fail(toFailure(error));
      if (query.failure?.errorName === "GENERIC_INTERNAL_ERROR") {
        throw error;
      }
    } finally {
      void this.#close();
    }
  }

  async #close(): Promise<void> {
    await this.#run?.cancel();
    this.#end();
  }

  /** Returns why the run is lost; undefined if the query has ended. */
  async #attempt(): Promise<FailureInfo | undefined> {
    const { query, sql } = this.#options;
    if (query.done) {
      return undefined;
    }
    const begun = this.#begun;
    const run = begun === undefined ? this.#client.submit(sql) : this.#goOn(begun);
    this.#run = run;
    try {
      while (await run.follow()) {
        this.#begun = undefined;
        this.#take(run);
        await this.#rows.waitForRoom();
        await this.#note(run.results);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ClientError)) {
        throw error;
      }
      const isAccepted = run.results !== undefined;
      const failure =
        this.#begun !== undefined && (error.status === 404 || error.status === 410)
          ? lost(`cluster '${this.cluster}' does not have its rows any more`)
          : clientFailure(error, this.cluster, isAccepted);
      return this.#options.isRead || (error.kind === "REFUSED" && !isAccepted) ? failure : unknownOutcome(failure);
    }
  }

  /** Takes over the run of a former incarnation. Throws QueryError if the journal does not have all that it takes. */
  #goOn({ checksum, held, infoUri, nextUri, queryId, rowCount }: RoutedPosition): StatementRun {
    const { query, sql } = this.#options;
    this.#rowCount = rowCount;
    this.#skipped = query.given.rowCount > rowCount ? new GivenRows({ rowCount, checksum }) : undefined;
    if (held !== undefined) {
      this.#push({ rows: encodeUtf8(held), rowCount: 1, lastRowAt: 0 });
    }
    if (nextUri === undefined || query.given.rowCount < rowCount) {
      throw new QueryError("SERVER_STARTING_UP", lost(`cluster '${this.cluster}' has run it`).message);
    }
    return this.#client.resume(sql, { id: queryId, infoUri, nextUri, stats: queuedStatistics });
  }

  /** The cluster is about to be asked for the document that follows: from here on it does not repeat the present one. */
  async #note(results: QueryResults | undefined): Promise<void> {
    const { journal, query } = this.#options;
    if (results?.nextUri === undefined || query.done) {
      return;
    }
    const { id: queryId, infoUri, nextUri } = results;
    const { checksum, rowCount } = query.given;
    const { held } = this.#rows;
    await journal?.route(query.id, {
      cluster: this.cluster,
      queryId,
      infoUri,
      rowCount,
      checksum,
      ...((held?.length ?? 0) <= heldBytesMax && { nextUri, ...(held !== undefined && { held: decodeUtf8(held) }) }),
    });
  }

  /** The last row is a chunk of its own, which is all that clients whose last response has rows wait for. */
  #push(raw: RawRows): void {
    this.#rowCount += raw.rowCount;
    this.#byteCount += raw.rows.length;
    const left = this.#skip(raw);
    if (left === undefined) {
      return;
    }
    const { lastRowAt, rowCount, rows } = left;
    if (rowCount === 1 || !this.#holdsLast) {
      this.#rows.push(rows, rowCount);
      return;
    }
    this.#rows.push(rows.subarray(0, rows.lastIndexOf(comma, lastRowAt)), rowCount - 1);
    this.#rows.push(rows.subarray(lastRowAt), 1);
  }

  /** Without the rows that the client has. Throws QueryError if they are others. */
  #skip(raw: RawRows): RawRows | undefined {
    const skipped = this.#skipped;
    const { query } = this.#options;
    if (skipped === undefined) {
      return raw;
    }
    const count = Math.min(raw.rowCount, query.given.rowCount - skipped.rowCount);
    const { rest, rows } = divideRows(raw.rows, { rowCount: count });
    skipped.add(rows, count);
    if (skipped.rowCount === query.given.rowCount) {
      this.#skipped = undefined;
      if (!skipped.equals(query.given)) {
        const { errorName, message } = otherRows(restarted, false);
        throw new QueryError(errorName, message);
      }
    }
    const before = raw.rows.length - rest.length;
    return count === raw.rowCount ? undefined : { rows: rest, rowCount: raw.rowCount - count, lastRowAt: raw.lastRowAt - before };
  }

  #take(run: StatementRun): void {
    const { ports, query } = this.#options;
    const { changes, columns, rawRows, results, state } = run;
    if (query.done || results === undefined) {
      return;
    }
    if (this.#results === undefined) {
      ports.log.info("query-routed", { queryId: query.id, cluster: this.cluster, remoteQueryId: results.id });
    }
    this.#results = results;
    // The other cluster counts from zero when it goes on after a restart, or when the statement is sent again.
    this.#peakBytes = Math.max(this.#peakBytes, Number(results.stats.peakMemoryBytes ?? 0));
    query.planWarnings = addWarnings(query.planWarnings, results.warnings ?? []);
    query.updateType = results.updateType ?? query.updateType;
    query.columns ??= columns?.map(({ name, type }) => ({ name, type: typeOfText(type) ?? VARCHAR }));
    if (changes !== undefined) {
      query.effects = { ...query.effects, ...effectsOf(changes) };
    }
    if (rawRows !== undefined) {
      this.#push(rawRows);
      query.hasRows();
    }
    if (results.error !== undefined) {
      query.fail(remoteFailure(results.error));
      return;
    }
    const isOver = state === "FINISHED";
    if (query.state === "STARTING" && (columns !== undefined || isOver)) {
      query.to("RUNNING");
    }
    if (isOver) {
      this.#rows.finish();
      query.to("FINISHING");
      query.to("FINISHED");
    }
    query.changed.fire();
  }

  #ended(): void {
    if (this.#options.query.state === "FAILED") {
      this.#rows.close();
    } else {
      this.#rows.detach();
    }
    void this.#run?.cancel();
  }

  /** A restart of this coordinator has lost the run, of which nothing is known: like every statement of the journal it begins again. */
  #isUnknownThere({ errorName }: FailureInfo): boolean {
    const { isRead, query } = this.#options;
    return this.#begun !== undefined && errorName === restarted.errorName && isRead && query.given.rowCount === 0;
  }

  /** Undefined if the statement may be sent again. What a write has changed is not known; rows of another run may be others. */
  #whyNotAgain(): "policy" | "writes" | "rows given" | "attempts" | undefined {
    const { isRead, query } = this.#options;
    const { attemptsMax, policy } = this.#retry;
    if (policy === "NONE") {
      return "policy";
    }
    if (!isRead) {
      return "writes";
    }
    return query.given.rowCount > 0 ? "rows given" : this.#lost >= attemptsMax ? "attempts" : undefined;
  }

  /** Number of the current run, as of attempts that have tasks. */
  get #attemptNumber(): number {
    return (this.#options.query.resumption?.attempt ?? 0) + this.#lost;
  }

  async #pause(loss: FailureInfo): Promise<void> {
    const { ports, query } = this.#options;
    const { errorName } = loss;
    this.#firstLoss ??= loss;
    const delayMs = retryDelayMs(this.#retry, this.#lost + 1);
    ports.log.info("query-attempt-lost", { queryId: query.id, attempt: this.#attemptNumber, errorName, delayMs });
    this.#lost += 1;
    this.#begun = undefined;
    this.#skipped = undefined;
    this.#rows.clear();
    this.#results = undefined;
    this.#rowCount = 0;
    this.#byteCount = 0;
    query.retriesAfter = loss;
    query.changed.fire();
    await query.changed.waitUntil(() => query.done, { clock: ports.clock, label: "routed-query-retry", waitMs: Math.max(1, delayMs) });
    query.retriesAfter = undefined;
  }
}

function unknownOutcome({ message, ...loss }: FailureInfo): FailureInfo {
  return { ...loss, message: `${message}. What the statement has done there is not known` };
}

/** `/v1/stage/{queryId}.{n}`, or Trino's `/v1/statement/executing/partialCancel/{queryId}/{n}/{slug}/{token}`. */
function stageIn(uri: string): number {
  return Number(/\.(\d{1,9})(?:\?|$)/.exec(uri)?.[1] ?? /\/partialCancel\/[^/]+\/(\d{1,9})\//.exec(uri)?.[1] ?? 0);
}
