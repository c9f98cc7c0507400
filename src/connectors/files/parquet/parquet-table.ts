/**
 * Parquet files as parts of a table: columns and statistics from the footer, and one split per row group.
 */
import type { ColumnMetadata, ColumnStatistics, Constraint, Json, Split } from "../../spi.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type DoubleRange, mayLieWithin } from "../../../types/domain/double-range.ts";
import { domainValueText } from "../../../types/domain/texts.ts";
import { badFile } from "../../shared/file-errors.ts";
import type { TableFile } from "../folder.ts";
import { adaptedColumn } from "./adapted.ts";
import type { ColumnChunk, ParquetColumn, ParquetFooter, RowGroup } from "./footer.ts";
import type { ParquetSplit, StoredColumn } from "./page-source.ts";
import { type ColumnEncoding, physical } from "./schema.ts";
import { leavesOf } from "./tree.ts";
import { statisticNumber } from "./values.ts";

/** A column that cannot be read has a comment that says so. */
export function parquetColumns(footer: ParquetFooter): readonly ColumnMetadata[] {
  return footer.columns.map(({ name, type, reason }) => ({
    name,
    type,
    ...(reason !== undefined && { comment: `Cannot be read: ${reason}` }),
  }));
}

export function parquetRows(footer: ParquetFooter): number {
  return footer.rowGroups.reduce((sum, { rows }) => sum + rows, 0);
}

interface ParquetRequest {
  readonly columns: readonly ColumnMetadata[];
  readonly constraint: Constraint;
}

/** Skips row groups whose statistics exclude all rows: nothing of them is read. */
export function parquetSplits(file: TableFile, footer: ParquetFooter, { columns, constraint }: ParquetRequest): readonly Split[] {
  const asked = columns.flatMap(({ name, type }) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    return column === undefined ? [] : [{ name, column, type }];
  });
  for (const { name, column } of asked) {
    if (column.reason !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `${file.path} column ${name}: ${column.reason}`);
    }
  }
  const wanted = asked.flatMap(({ name }) => {
    const values = constraint.summary.domainOf(name)?.values.discreteValues;
    return values === undefined ? [] : [[name, values.map(domainValueText)] as const];
  });
  return footer.rowGroups.flatMap((group, rowGroup): readonly Split[] => {
    if (group.rows === 0 || !mayHave(footer, group, constraint)) {
      return [];
    }
    const stored = Object.fromEntries(
      asked.flatMap(({ name, column, type }) => {
        const node = adaptedColumn(column.node, type);
        return node === undefined ? [] : [[name, storedColumn(file, { group, rowGroup }, { name, node })]];
      }),
    );
    const { path, sizeBytes } = file;
    const payload: ParquetSplit = {
      path,
      sizeBytes,
      format: "parquet",
      rowGroup,
      rows: group.rows,
      columns: stored,
      ...(wanted.length > 0 && { wanted: Object.fromEntries(wanted) }),
      ...boundsOf(asked, group, constraint),
    };
    return [{ payload: payload as unknown as Json, rows: group.rows }];
  });
}

/** Bounds of the columns with a constraint that becomes known only when the group is read. */
function boundsOf(
  asked: readonly { readonly name: string; readonly column: ParquetColumn }[],
  group: RowGroup,
  constraint: Constraint,
): Pick<ParquetSplit, "bounds"> {
  const bounds = asked.flatMap(({ name, column }) => {
    const known = constraint.dynamicColumns?.has(name) === true ? chunkOf(group, column) : undefined;
    return known === undefined ? [] : [[name, rangeOf(known.encoding, known.chunk)] as const];
  });
  return bounds.length === 0 ? {} : { bounds: Object.fromEntries(bounds) };
}

/** Of a column that is not nested. */
function chunkOf(group: RowGroup, { node }: ParquetColumn): { readonly chunk: ColumnChunk; readonly encoding: ColumnEncoding } | undefined {
  const chunk = node.kind === "leaf" ? group.chunks[node.leaf] : undefined;
  return chunk === undefined || node.kind !== "leaf" ? undefined : { chunk, encoding: node.encoding };
}

function rangeOf(encoding: ColumnEncoding, chunk: ColumnChunk): DoubleRange {
  if (!hasTrueBounds(encoding)) {
    return {};
  }
  const low = chunk.low === undefined ? undefined : statisticNumber(encoding, chunk.low);
  const high = chunk.high === undefined ? undefined : statisticNumber(encoding, chunk.high);
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

function mayHave(footer: ParquetFooter, group: RowGroup, { summary }: Constraint): boolean {
  return [...summary.domains].every(([name, { values }]) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    // A file without the column has NULL in its place, which no domain of a constraint allows.
    if (column === undefined) {
      return false;
    }
    const known = chunkOf(group, column);
    if (known === undefined || !hasTrueBounds(known.encoding)) {
      return true;
    }
    const { chunk, encoding } = known;
    if (chunk.nullCount !== undefined && chunk.nullCount === chunk.valueCount) {
      return false;
    }
    return mayLieWithin(values, rangeOf(encoding, chunk));
  });
}

/** Old writers ordered the bounds of other types as signed bytes. */
function hasTrueBounds({ physical: kind, conversion }: ColumnEncoding): boolean {
  const isUnsigned = conversion === "u32 to i64" || conversion === "u64 to i128";
  return !isUnsigned && (kind === physical.int32 || kind === physical.int64 || kind === physical.double);
}

function storedColumn(
  file: TableFile,
  { group, rowGroup }: { readonly group: RowGroup; readonly rowGroup: number },
  { name, node }: Pick<ParquetColumn, "name" | "node">,
): StoredColumn {
  const chunks = leavesOf(node).map(({ leaf }): ColumnChunk => {
    const chunk = group.chunks[leaf];
    const problem = chunk === undefined ? "it is missing" : chunk.problem;
    if (chunk === undefined || problem !== undefined) {
      throw badFile(file.path, `row group ${rowGroup} column ${name}`, problem ?? "");
    }
    return chunk;
  });
  const leaves = chunks.map(({ offset, sizeBytes, codec, valueCount }) => ({ offset, sizeBytes, codec, entries: valueCount }));
  const [leaf] = leaves;
  if (node.kind === "leaf" && leaf !== undefined) {
    return { encoding: node.encoding, ...leaf, optional: node.definition > 0 };
  }
  const bytes = chunks.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0);
  return { node, leaves, rowBytes: Math.ceil(bytes / Math.max(1, group.rows)) };
}

/** Over all files; bounds only if every row group has them. */
export function parquetStatistics(footers: readonly ParquetFooter[], name: string): ColumnStatistics {
  const parts = footers.flatMap((footer) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    return column?.node.kind === "leaf" ? footer.rowGroups.map((group) => chunkOf(group, column)) : [];
  });
  const values = parts.reduce((sum, part) => sum + (part?.chunk.valueCount ?? 0), 0);
  const nulls = sumOf(parts.map((part) => part?.chunk.nullCount));
  const bounds = (side: "low" | "high"): number | undefined => {
    const numbers = parts
      .filter((part) => part !== undefined && part.chunk.nullCount !== part.chunk.valueCount)
      .map((part) => {
        const bytes = part?.chunk[side];
        return part === undefined || bytes === undefined ? undefined : statisticNumber(part.encoding, bytes);
      });
    return numbers.length === 0 || numbers.includes(undefined)
      ? undefined
      : (numbers as readonly number[]).reduce((a, b) => (side === "low" ? Math.min(a, b) : Math.max(a, b)));
  };
  const low = bounds("low");
  const high = bounds("high");
  return {
    ...(nulls === undefined || values === 0 ? {} : { nullsFraction: nulls / values }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}

function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce((sum, number) => (sum === undefined || number === undefined ? undefined : sum + number), 0);
}
