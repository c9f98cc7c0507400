/** When rows of a write become visible: all with its commit, once, and those of its last attempt alone. */
import type { ColumnMetadata, ConnectorMetadata, Json } from "../../../connectors/spi.ts";
import { BIGINT, VARCHAR } from "../../../types/type.ts";
import { mustHold } from "../options.ts";
import { type Subject, throughJson } from "../subject.ts";
import type { Rule } from "./rule.ts";
import { requireContent, type WritingPlace, writeTask, writingRule, writtenTable } from "./writing.ts";

/** What a task writes. */
const taskRows: readonly string[] = ['"1", "number 1"', '"2", "number 2"'];

async function tableOf(metadata: ConnectorMetadata, schema: string) {
  return metadata.getTable({ schema, table: writtenTable });
}

/** The write begins again, if the connector can: what its first attempt has written is given up. */
async function lastAttempt(subject: Subject, metadata: ConnectorMetadata, begun: { handle: Json; columns: readonly ColumnMetadata[] }) {
  const { columns, handle } = begun;
  const write = (of: Json, task: number): Promise<Json> => writeTask({ subject, handle: of, columns, task, isAborted: false });
  const first = [await write(handle, 0)];
  const again = await metadata.restartWrite?.(handle);
  const last = again === undefined ? handle : throughJson(again);
  const fragments = again === undefined ? first : [await write(last, 0)];
  return { handle: last, fragments: [...fragments, await write(last, 1)].map(throughJson) };
}

async function created(subject: Subject, { metadata, name, schema }: WritingPlace): Promise<void> {
  const given = [
    { name: "number", type: BIGINT },
    { name: "text", type: VARCHAR },
  ];
  const { columns } = metadata.planCreate?.(given, {}) ?? { columns: given };
  const begun = throughJson((await metadata.beginCreate?.({ schema, table: writtenTable }, columns)) as Json);
  const { fragments, handle } = await lastAttempt(subject, metadata, { handle: begun, columns });
  const isSeen = (await metadata.listTables(schema)).includes(writtenTable) || (await tableOf(metadata, schema)) !== undefined;
  mustHold(!isSeen, () => "a new table is visible before finishCreate");
  await metadata.finishCreate?.(handle, fragments);
  await requireContent(subject, name, [...taskRows, ...taskRows], "finishCreate");
}

async function inserted(subject: Subject, { metadata, name, schema }: WritingPlace): Promise<void> {
  const before = [...taskRows, ...taskRows];
  for (const isCommitted of [false, true]) {
    const found = await tableOf(metadata, schema);
    mustHold(found !== undefined, () => "a table is not there after finishCreate");
    const columns = found.columns.filter(({ hidden }) => hidden !== true);
    const begun = throughJson((await metadata.beginInsert?.(found)) as Json);
    const { fragments, handle } = await lastAttempt(subject, metadata, { handle: begun, columns });
    await requireContent(subject, name, before, "rows were written, before finishInsert,");
    if (isCommitted) {
      await metadata.finishInsert?.(handle, fragments);
      await requireContent(subject, name, [...before, ...taskRows, ...taskRows], "finishInsert");
    } else {
      await metadata.abortWrite?.(handle);
      await requireContent(subject, name, before, "abortWrite of an INSERT");
    }
  }
}

const commits = writingRule("rows become visible with their commit, once", async (subject, place) => {
  await subject.query(`DROP TABLE IF EXISTS ${place.name}`);
  await created(subject, place);
  if (place.metadata.beginInsert !== undefined) {
    await inserted(subject, place);
  }
  await subject.query(`DROP TABLE ${place.name}`);
});

export const commitRules: readonly Rule[] = [commits];
