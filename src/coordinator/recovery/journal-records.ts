/** What the lines of a query journal mean. Each is a record as JSON with its checksum. */
import { journalRecordIn, type JournalRecord, type Position } from "../../protocol/documents/query-journal.ts";
import type { QuerySession } from "../query/session.ts";
import { readRecordLines, recordLine } from "../../types/record-lines.ts";

/** A query whose client may still ask for rows. `positions`: of the last two documents, the earlier first. */
export interface JournaledQuery extends Omit<Extract<JournalRecord, { kind: "query" }>, "kind" | "session"> {
  readonly session: QuerySession;
}

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
  /** Lines that are not as they were written, or not of this build. */
  readonly badCount: number;
}

/** Reads the files of a journal one after the other. */
export function readJournal(files: readonly Uint8Array[]): ReadJournal {
  const queries = new Map<string, JournaledQuery>();
  let badCount = 0;
  for (const file of files) {
    const lines = readRecordLines(file);
    badCount += lines.badCount;
    for (const line of lines.texts) {
      const record = journalRecordIn(line);
      if (record === undefined) {
        badCount += 1;
      } else {
        apply(queries, record);
      }
    }
  }
  return { queries, badCount };
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
    case "over":
      queries.delete(record.id);
  }
}
