/** Queries and readers that end while a server does not answer: nothing of them goes on to wait for it. */
import {
  type ColumnMetadata,
  type ConnectorMetadata,
  metadataFor,
  type PageSource,
  type Split,
  type TableMetadata,
} from "../../../connectors/spi.ts";
import { alwaysTrue } from "../../../connectors/spi.ts";
import { OpenLifetime } from "../../../ports/lifetime.ts";
import { mustHold } from "../options.ts";
import { type Subject, tableText } from "../subject.ts";
import { forSplits } from "./reading.ts";
import type { Rule } from "./rule.ts";

interface Asked {
  readonly what: string;
  readonly ask: (metadata: ConnectorMetadata, query: OpenLifetime) => Promise<unknown>;
}

function questionsOf(subject: Subject, table: TableMetadata): readonly Asked[] {
  return [
    { what: "getTable", ask: (metadata) => metadata.getTable(table.name) },
    {
      what: "getSplits",
      ask: async (_metadata, query) => {
        const { connector } = await subject.coordinator();
        const session = { query: { id: "ended", onEnd: (callback: () => void) => void query.onEnd(callback) } };
        return connector.getSplits(table, table.columns, alwaysTrue, session);
      },
    },
  ];
}

/** Whether it has waited for a server. */
async function checkQuestion(subject: Subject, table: TableMetadata, { what, ask }: Asked): Promise<boolean> {
  const { faults } = subject;
  return faults.silent(0, async () => {
    const { connector } = await subject.coordinator();
    const query = new OpenLifetime();
    let isAnswered = false;
    const answered = (): void => {
      isAnswered = true;
    };
    ask(metadataFor(connector, query), query).then(answered, answered);
    await subject.until(async () => isAnswered || faults.waiting > 0);
    const hasWaited = faults.waiting > 0;
    query.end();
    await subject.until(async () => isAnswered && faults.waiting === 0);
    mustHold(
      isAnswered && faults.waiting === 0,
      () => `${what} of ${tableText(table)} still waits for a server that does not answer, and its query has ended`,
    );
    return hasWaited;
  });
}

interface Reading {
  readonly table: TableMetadata;
  readonly split: Split;
  readonly columns: readonly ColumnMetadata[];
}

/** Closes the source as soon as it waits for the server, which answers so many requests. */
async function checkSource(subject: Subject, reading: Reading, silentFrom: number): Promise<boolean> {
  const { faults } = subject;
  let hasWaited = false;
  // What readers before it have given back is still on its way.
  await subject.until(async () => faults.underWay === 0);
  await faults.silent(silentFrom, async () => {
    await subject.withSource(reading, async (source) => {
      // A connection that is given back waits too, when the source has read all.
      const waits = (): boolean => faults.waiting > 0 && !source.finished && source.blocked() !== undefined;
      await subject.until(async () => waits() || hasEnded(source));
      hasWaited = waits();
    });
    if (!hasWaited) {
      // What is given back, such as a connection with its transaction, has a time limit of its own.
      return;
    }
    await subject.until(async () => faults.waiting === 0);
    mustHold(
      faults.waiting === 0,
      () => `the source of a split of ${tableText(reading.table)} is closed, and still waits for a server that does not answer`,
    );
  });
  return hasWaited;
}

function hasEnded(source: PageSource): boolean {
  if (!source.finished && source.blocked() === undefined) {
    source.nextPage();
  }
  return source.finished;
}

const ending: Rule = {
  name: "what waits for a server ends with its query and with its source",
  async check(subject) {
    const { faults } = subject;
    let hasWaited = false;
    for (const table of await subject.tables()) {
      for (const question of questionsOf(subject, table)) {
        hasWaited = (await checkQuestion(subject, table, question)) || hasWaited;
      }
    }
    const nothing = await forSplits(subject, async (table, split) => {
      const reading = { table, split, columns: table.columns };
      await faults.during(Number.POSITIVE_INFINITY, () => subject.readSplit(reading));
      for (const place of new Set([0, faults.answers >> 1])) {
        hasWaited = (await checkSource(subject, reading, place)) || hasWaited;
      }
    });
    return hasWaited ? undefined : (nothing ?? "it waits for no server");
  },
};

export const endingRules: readonly Rule[] = [ending];
