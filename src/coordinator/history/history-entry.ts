/**
 * A query of the history: what its list element needs, kept in memory, and where its detail is on the disk. The statement is kept up to a
 * length.
 */
import { type CounterSums, noSums } from "../../protocol/counter-sums.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import { type ErrorName, errorCatalogue } from "../../protocol/errors.ts";
import { globalGroup } from "../groups/specification.ts";
import type { QueryRow } from "../listing/query-row.ts";

/** Characters of a statement that are kept in memory. */
const textLengthMax = 1000;
/** Upper estimate of an entry without its texts, in bytes. */
const entryBytes = 760;

/** Counters that this build knows. */
const sumNames: ReadonlySet<string> = new Set(Object.keys(noSums));

/** The detail document in the detail file of its segment: a block compressed by LZ4. */
export interface DetailPlace {
  readonly offset: number;
  readonly length: number;
  /** Length before compression. */
  readonly rawLength: number;
  /** CRC-32 of the block. */
  readonly checksum: number;
}

/** One line of the index. Its checksum vouches for its form, so it is read without another check. */
interface HistoryRecord {
  readonly version: number;
  readonly queryId: string;
  readonly state: QueryRow["state"];
  /** Absent in records of builds that had one group. */
  readonly resourceGroupId?: readonly string[] | undefined;
  readonly errorName?: string | undefined;
  readonly updateType?: string | undefined;
  readonly text: string;
  readonly textLength: number;
  readonly createMillis: number;
  readonly executionStartMillis?: number | undefined;
  readonly lastHeartbeatMillis: number;
  readonly endMillis: number;
  readonly queuedNanos: number;
  readonly analysisNanos: number;
  readonly elapsedNanos: number;
  readonly scheduled: boolean;
  /** By the name of the counter. Zeros are left out, and so are the counters that another build does not know. */
  readonly sums: Readonly<Record<string, number | undefined>>;
  readonly session: BasicQueryInfo["session"];
  readonly detail: DetailPlace;
}

/** Of the records that this build writes. It reads no others. */
const recordVersion = 1;

/** The session without what differs between the queries of a client, so that entries can share it. */
type CommonSession = Omit<BasicQueryInfo["session"], "startTime" | "queryId">;

export class HistoryEntry implements QueryRow {
  readonly wait = undefined;
  readonly id: string;
  readonly ordinal: number;
  readonly state: QueryRow["state"];
  readonly resourceGroupId: readonly string[];
  readonly errorName: ErrorName | undefined;
  readonly updateType: string | undefined;
  readonly text: string;
  readonly textLength: number;
  readonly createMillis: number;
  readonly executionStartMillis: number | undefined;
  readonly lastHeartbeatMillis: number;
  readonly endMillis: number;
  readonly queuedNanos: number;
  readonly analysisNanos: number;
  readonly elapsedNanos: number;
  readonly scheduled: boolean;
  readonly detail: DetailPlace;
  /** Base name of the files with its record. */
  readonly segment: string;
  /** The query is in memory as well, so lists show it from there. */
  isInMemory = false;
  /** Those that are not 0. */
  readonly #sums: HistoryRecord["sums"];
  readonly #session: CommonSession;
  readonly #sessionStart: number;

  constructor(record: HistoryRecord, { ordinal, segment, session }: EntryOptions) {
    this.id = record.queryId;
    this.ordinal = ordinal;
    this.segment = segment;
    this.state = record.state;
    this.resourceGroupId = record.resourceGroupId ?? [globalGroup];
    this.errorName = isErrorName(record.errorName) ? record.errorName : undefined;
    this.updateType = record.updateType;
    this.text = record.text;
    this.textLength = record.textLength;
    this.createMillis = record.createMillis;
    this.executionStartMillis = record.executionStartMillis;
    this.lastHeartbeatMillis = record.lastHeartbeatMillis;
    this.endMillis = record.endMillis;
    this.queuedNanos = record.queuedNanos;
    this.analysisNanos = record.analysisNanos;
    this.elapsedNanos = record.elapsedNanos;
    this.scheduled = record.scheduled;
    this.detail = record.detail;
    this.#sums = record.sums;
    this.#session = session;
    this.#sessionStart = record.session.startTime;
  }

  get user(): string {
    return this.#session.user;
  }

  get source(): string | undefined {
    return this.#session.source;
  }

  get sums(): CounterSums {
    const known = Object.entries(this.#sums).filter(([name]) => sumNames.has(name));
    return { ...noSums, ...Object.fromEntries(known) };
  }

  sum(name: keyof CounterSums): number {
    return this.#sums[name] ?? 0;
  }

  get session(): BasicQueryInfo["session"] {
    return { ...this.#session, startTime: this.#sessionStart, queryId: this.id };
  }

  /** Bytes in memory, rather too many. */
  get bytes(): number {
    return entryBytes + 2 * (this.id.length + this.text.length);
  }
}

interface EntryOptions {
  readonly ordinal: number;
  readonly segment: string;
  readonly session: CommonSession;
}

/** Sessions that many entries share. Clients that send another one with each statement fill it; it then starts anew. */
const sessionsMax = 1000;

export class EntryReader {
  #sessions = new Map<string, CommonSession>();

  /** Undefined if the text is of a version that this build does not know. */
  read(text: string, options: Omit<EntryOptions, "session" | "ordinal"> & { readonly ordinal?: number }): HistoryEntry | undefined {
    const record = JSON.parse(text) as HistoryRecord;
    if (record.version !== recordVersion) {
      return undefined;
    }
    const { queryId: _, startTime: __, ...session } = record.session;
    // Queries of earlier incarnations come before all of this one, in the order of their creation.
    const ordinal = options.ordinal ?? record.createMillis - Number.MAX_SAFE_INTEGER;
    return new HistoryEntry(record, { ...options, ordinal, session: this.#shared(session) });
  }

  #shared(session: CommonSession): CommonSession {
    const key = JSON.stringify(session);
    const known = this.#sessions.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#sessions.size >= sessionsMax) {
      this.#sessions = new Map();
    }
    this.#sessions.set(key, session);
    return session;
  }
}

export function recordText(row: QueryRow, detail: DetailPlace): string {
  const record: HistoryRecord = {
    version: recordVersion,
    queryId: row.id,
    state: row.state,
    resourceGroupId: row.resourceGroupId,
    errorName: row.errorName,
    updateType: row.updateType,
    text: row.text.slice(0, textLengthMax),
    textLength: row.textLength,
    createMillis: row.createMillis,
    executionStartMillis: row.executionStartMillis,
    lastHeartbeatMillis: row.lastHeartbeatMillis,
    endMillis: row.endMillis ?? row.createMillis,
    queuedNanos: row.queuedNanos,
    analysisNanos: row.analysisNanos,
    elapsedNanos: row.elapsedNanos,
    scheduled: row.scheduled,
    sums: Object.fromEntries(Object.entries(row.sums).filter(([, value]) => value !== 0)),
    session: row.session,
    detail,
  };
  return JSON.stringify(record);
}

function isErrorName(name: string | undefined): name is ErrorName {
  return name !== undefined && Object.hasOwn(errorCatalogue, name);
}
