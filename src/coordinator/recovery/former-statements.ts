/**
 * What a statement has done in former incarnations of the coordinator: a catalog that survives it records its changes with their
 * statements.
 */
import type { ConnectorMetadata, RecordedStatement } from "../../connectors/spi.ts";
import type { PlannedStatement, ResultColumn } from "../../planner/planned.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { BIGINT, BOOLEAN } from "../../types/type.ts";
import type { GivenRows } from "../results/given-rows.ts";
import { FixedRows, noRows, type ResultRows, TrueRow } from "../results/rows.ts";

export type FormerStatement = RecordedStatement | "unknown" | undefined;

/** "unknown" if a catalog does not know any more. Throws CONNECTOR_ERROR if a catalog cannot be read. */
export async function formerStatement(queryId: string, catalogs: readonly ConnectorMetadata[]): Promise<FormerStatement> {
  let former: FormerStatement;
  for (const { recordedStatements } of catalogs) {
    const found = await recordedStatements?.find(queryId);
    if (found !== undefined && found !== "unknown") {
      return found;
    }
    former ??= found;
  }
  return former;
}

/** False for a change that is not recorded: a former incarnation may have made it. */
export function isUndone(planned: PlannedStatement, former: FormerStatement, metadataOf: (catalog: string) => ConnectorMetadata): boolean {
  const isRecorded = (catalog: string): boolean => former === undefined && metadataOf(catalog).recordedStatements !== undefined;
  switch (planned.kind) {
    case "session":
      return true;
    case "query":
      return planned.write === undefined || isRecorded(planned.write.target.catalog);
    case "dataDefinition": {
      const { definition } = planned;
      return definition.action === "NONE" || ("catalog" in definition && isRecorded(definition.catalog));
    }
  }
}

/** What the statement answers, without the row that its client has. */
export function answerAgain(
  { rows }: RecordedStatement,
  { given, hasAll }: { readonly given: GivenRows; readonly hasAll: boolean },
): { readonly columns: readonly ResultColumn[]; readonly results: ResultRows } {
  const hasRow = hasAll || given.rowCount > 0;
  if (rows === undefined) {
    return { columns: [{ name: "result", type: BOOLEAN }], results: hasRow ? noRows() : new TrueRow() };
  }
  const row = { json: encodeUtf8(`[[${rows}]]`), rowCount: 1 };
  return { columns: [{ name: "rows", type: BIGINT }], results: hasRow ? noRows() : new FixedRows(row, given) };
}
