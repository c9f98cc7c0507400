/** What the lines of a query journal mean. Each is a record as JSON with its checksum. */
import { journalRecordIn, type JournalRecord, type Position } from "../../protocol/documents/query-journal.ts";
import type { QuerySession } from "../query/session.ts";
import { readRecordLines, recordLine } from "../../types/record-lines.ts";

/** A query whose client may still ask for rows. `positions`: of the last two documents, the earlier first. */
export interface JournaledQuery extends Omit<Extract<JournalRecord, { kind: "query" }>, "kind" | "session"> {
  readonly session: QuerySession;
}

/** A transaction that its client holds open. */
export type JournaledTransaction = Omit<Extract<JournalRecord, { kind: "transaction" }>, "kind">;

/** A client can ask for the last document again, and then has the rows of the one before it. */
const positionsMax = 2;

export function withPosition(query: JournaledQuery, position: Position): JournaledQuery {
  return { ...query, positions: [...query.positions, position].slice(-positionsMax) };
}

export function journalLine(record: JournalRecord): Uint8Array {
  return recordLine(JSON.stringify(record));
}

export function queryRecord({ session, ...query }: JournaledQuery): JournalRecord {
  const { extraCredentials: _secret, ...safe } = session;
  return { kind: "query", ...query, session: safe };
}

export interface ReadJournal {
  /** In the order of their begins. */
  readonly queries: ReadonlyMap<string, JournaledQuery>;
  readonly transactions: ReadonlyMap<string, JournaledTransaction>;
  /** Ids that clients have chosen for queries that are over, in the order of their ends. */
  readonly chosenOver: readonly string[];
  /** Lines that are not as they were written, or not of this build. */
  readonly badCount: number;
}

export interface JournalFile {
  /** Number of the owner that has written the file; 0 without owners. */
  readonly epoch: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads the files of a journal one after the other. An owner whose files are complete has read all that former ones have written while they
 * were owners: what they have written since does not count.
 */
export function readJournal(files: readonly JournalFile[]): ReadJournal {
  let badCount = 0;
  const read = files.map(({ epoch, bytes }) => {
    const lines = readRecordLines(bytes);
    const records = lines.texts.map(journalRecordIn);
    badCount += lines.badCount + records.filter((record) => record === undefined).length;
    return { epoch, records };
  });
  const complete = Math.max(0, ...read.map(({ epoch, records }) => (records.some((record) => record?.kind === "complete") ? epoch : 0)));
  const queries = new Map<string, JournaledQuery>();
  const transactions = new Map<string, JournaledTransaction>();
  const chosenOver = new Set<string>();
  for (const { epoch, records } of read.toSorted((a, b) => a.epoch - b.epoch)) {
    for (const record of epoch < complete ? [] : records) {
      if (record !== undefined) {
        apply(queries, record);
        applyToTransactions(transactions, record);
        if (record.kind === "over" && record.isChosen === true) {
          chosenOver.add(record.id);
        }
      }
    }
  }
  return { queries, transactions, chosenOver: [...chosenOver], badCount };
}

function apply(queries: Map<string, JournaledQuery>, record: JournalRecord): void {
  switch (record.kind) {
    case "query": {
      const { kind: _kind, session, ...query } = record;
      queries.set(query.id, { ...query, session: { ...session, extraCredentials: {} } as QuerySession });
      return;
    }
    case "given": {
      const query = queries.get(record.id);
      const { kind: _kind, id, ...position } = record;
      if (query !== undefined) {
        queries.set(id, withPosition(query, position));
      }
      return;
    }
    case "routed": {
      const query = queries.get(record.id);
      if (query !== undefined) {
        queries.set(record.id, { ...query, routed: record.routed });
      }
      return;
    }
    case "drawn": {
      const query = queries.get(record.id);
      if (query !== undefined) {
        queries.set(record.id, { ...query, drawn: record.drawn });
      }
      return;
    }
    case "failed": {
      const query = queries.get(record.id);
      if (query !== undefined) {
        queries.set(record.id, { ...query, failure: record.failure });
      }
      return;
    }
    case "over":
      queries.delete(record.id);
      return;
    default:
  }
}

function applyToTransactions(transactions: Map<string, JournaledTransaction>, record: JournalRecord): void {
  switch (record.kind) {
    case "transaction": {
      const { kind: _kind, ...transaction } = record;
      transactions.set(transaction.id, transaction);
      return;
    }
    case "aborted": {
      const transaction = transactions.get(record.id);
      if (transaction !== undefined) {
        transactions.set(record.id, { ...transaction, abortedBy: record.by });
      }
      return;
    }
    case "ended":
      transactions.delete(record.id);
      return;
    default:
  }
}
