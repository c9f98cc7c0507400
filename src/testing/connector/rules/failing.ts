/** Sources that fail in the midst of a split, because what they read from is gone. */
import type { Split, TableMetadata } from "../../../connectors/spi.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { QueryFailedError } from "../../query.ts";
import { BrokenRule, mustHold } from "../options.ts";
import type { ReadRow } from "../pages.ts";
import { sqlName, type Subject, tableText } from "../subject.ts";
import { difference, forSplits } from "./reading.ts";
import type { Rule } from "./rule.ts";

/** The first answer, one in the middle and the last one. */
function placesOf(answers: number): readonly number[] {
  return [...new Set([0, Math.floor(answers / 2), answers - 1])].filter((place) => place >= 0 && place < answers);
}

/** A failure that is no end: an error that a client may see, or all rows if they were there already. */
async function checkFailure(
  subject: Subject,
  request: { readonly table: TableMetadata; readonly split: Split },
  at: number,
): Promise<void> {
  const { faults } = subject;
  const { columns } = request.table;
  const whole = await subject.readSplit({ ...request, columns });
  const read = (): Promise<readonly ReadRow[]> => subject.readSplit({ ...request, columns });
  const found = await faults.during(at, read).catch((error: unknown) => {
    if (error instanceof BrokenRule) {
      throw new BrokenRule(`a source that fails: ${error.message}`);
    }
    return error;
  });
  if (!Array.isArray(found)) {
    mustHold(found instanceof QueryError, () => `a source fails with '${String(found)}', which is no QueryError`);
  } else {
    const lost = difference(whole, found as readonly ReadRow[]);
    mustHold(lost === undefined, () => `what a source reads from has failed, and it ends as if these were all rows: ${lost}`);
  }
  for (const onWorker of [false, true]) {
    const again = difference(whole, await subject.readSplit({ ...request, columns, onWorker }));
    mustHold(again === undefined, () => `a split is read again after its source has failed: ${again}`);
  }
}

/** Questions of the planner fail with an error that a client may see, at whichever answer of the source. */
async function checkQuestions(subject: Subject, table: TableMetadata): Promise<void> {
  const { faults } = subject;
  const { connector } = await subject.coordinator();
  const { metadata } = connector;
  const missing = { ...table.name, table: "no_such_table" };
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    listTables: () => metadata.listTables(table.name.schema),
    getTable: () => metadata.getTable(table.name),
    "getTable (of a name that is not there)": () => metadata.getTable(missing),
    getView: async () => metadata.getView?.(table.name),
    tableStates: async () => metadata.tableStates?.([table.name, missing]),
    getStatistics: async () => metadata.getStatistics?.(table),
    getSplits: () => connector.getSplits(table, table.columns),
  };
  for (const [name, ask] of Object.entries(questions)) {
    await faults.during(Number.POSITIVE_INFINITY, ask);
    for (const at of placesOf(faults.answers)) {
      const error = await faults.during(at, ask).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      mustHold(
        error === undefined || error instanceof QueryError,
        () => `${name} of ${tableText(table)} fails with '${String(error)}', which is no QueryError`,
      );
    }
  }
}

/** The client gets the error, and the same statement has all rows afterwards. */
async function checkStatement(subject: Subject, table: TableMetadata): Promise<void> {
  const { faults } = subject;
  const sql = `SELECT * FROM ${sqlName(table)}`;
  const { length } = await subject.rowsOf(table);
  const error = await faults
    .during(0, () => subject.query(sql))
    .then(
      () => undefined,
      (failure: unknown) => failure,
    );
  mustHold(
    error === undefined || (error instanceof QueryFailedError && error.errorType !== "INTERNAL_ERROR"),
    () => `${sql} fails with '${String(error)}', which is no error of the source`,
  );
  const { rows } = await subject.query(sql);
  mustHold(rows.length === length, () => `${sql} has ${rows.length} rows after it has failed, and the splits have ${length}`);
}

const failing: Rule = {
  name: "a source that fails inside a split says so, leaves nothing, and is read again",
  async check(subject) {
    const { faults } = subject;
    let answers = 0;
    const nothing = await forSplits(subject, async (table, split) => {
      await faults.during(Number.POSITIVE_INFINITY, () => subject.readSplit({ table, split, columns: table.columns }));
      answers += faults.answers;
      for (const at of placesOf(faults.answers)) {
        await checkFailure(subject, { table, split }, at);
      }
    });
    if (nothing !== undefined || answers === 0) {
      return nothing ?? "its sources read nothing through the ports of the node";
    }
    for (const table of await subject.tables()) {
      await checkQuestions(subject, table);
      await checkStatement(subject, table);
    }
    return undefined;
  },
};

export const failingRules: readonly Rule[] = [failing];
