/**
 * Arrow files as parts of a table: columns of the schema, and splits of record batches.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { ColumnMetadata, Json, Split } from "../../spi.ts";
import type { TableFile } from "../folder.ts";
import type { ArrowFile, BatchBlock, DictionaryBlock } from "./arrow-file.ts";
import type { ArrowSplit } from "./page-source.ts";
import { type ArrowNode, reasonOf } from "./schema.ts";

/** Small batches that follow each other are one split up to this size. */
const splitBytesMax = 8_388_608;

/** A column that cannot be read has a comment that says so. */
export function arrowColumns({ columns }: ArrowFile): readonly ColumnMetadata[] {
  return columns.map(({ name, node }) => {
    const reason = reasonOf(node);
    return { name, type: node.type, ...(reason !== undefined && { comment: `Cannot be read: ${reason}` }) };
  });
}

export function arrowRows({ batches }: ArrowFile): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0);
}

/** Splits, and the number of the first row of each, from 1. */
export function arrowSplits(
  file: TableFile,
  arrow: ArrowFile,
  columns: readonly ColumnMetadata[],
): { readonly splits: readonly Split[]; readonly firstRows: readonly number[] } {
  const asked = columns.flatMap(({ name }) => {
    const index = arrow.columns.findIndex((candidate) => candidate.name === name);
    const node = arrow.columns[index]?.node;
    return node === undefined ? [] : [{ name, index, node }];
  });
  for (const { name, node } of asked) {
    const reason = reasonOf(node);
    if (reason !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `${file.path} column ${name}: ${reason}`);
    }
  }
  const ids = new Set(asked.flatMap(({ node }) => dictionariesOf(node)));
  const { path, sizeBytes } = file;
  const nodes = arrow.columns.map(({ node }) => node);
  const firstRows: number[] = [];
  let first = 1;
  const splits = groupsOf(arrow.batches, ids.size > 0).map((batches): Split => {
    const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
    const payload: ArrowSplit = {
      path,
      sizeBytes,
      format: "arrow",
      nodes,
      columns: Object.fromEntries(asked.map(({ name, index }) => [name, index])),
      batches: batches.map(({ offset, metadataBytes, bodyBytes, rows: count }) => ({ offset, metadataBytes, bodyBytes, rows: count })),
      dictionaries: dictionariesBefore(arrow.dictionaries, batches[0]?.dictionaries ?? 0, ids),
    };
    firstRows.push(first);
    first += rows;
    return { payload: payload as unknown as Json, rows };
  });
  return { splits, firstRows };
}

/** Batches of one split have the same dictionaries, if they matter. */
function groupsOf(batches: readonly BatchBlock[], haveDictionaries: boolean): readonly (readonly BatchBlock[])[] {
  const groups: BatchBlock[][] = [];
  let bytes = 0;
  for (const batch of batches) {
    const group = groups.at(-1);
    const isSame = group?.[0]?.dictionaries === batch.dictionaries || !haveDictionaries;
    if (batch.rows === 0) {
      continue;
    }
    if (group === undefined || !isSame || bytes + batch.bodyBytes > splitBytesMax) {
      groups.push([batch]);
      bytes = batch.bodyBytes;
    } else {
      group.push(batch);
      bytes += batch.bodyBytes;
    }
  }
  return groups;
}

/** Dictionaries of the node and of those below it. */
function dictionariesOf(node: ArrowNode): readonly string[] {
  return [...(node.dictionary === undefined ? [] : [node.dictionary.id]), ...node.children.flatMap(dictionariesOf)];
}

/** The batches of each dictionary that count behind the first `count`: the last that replaces it, and those that add to it. */
function dictionariesBefore(
  blocks: readonly DictionaryBlock[],
  count: number,
  ids: ReadonlySet<string>,
): Readonly<Record<string, readonly DictionaryBlock[]>> {
  const found = new Map<string, DictionaryBlock[]>();
  for (const block of blocks.slice(0, count)) {
    if (!ids.has(block.id)) {
      continue;
    }
    const known = found.get(block.id);
    if (known === undefined || !block.isDelta) {
      found.set(block.id, [block]);
    } else {
      known.push(block);
    }
  }
  return Object.fromEntries(found);
}
