/** Tables of table formats: their snapshots, statistics and splits. */
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { DoubleRange } from "../../../types/domain/double-range.ts";
import { mayLieWithin } from "../../../types/domain/double-range.ts";
import type {
  ColumnMetadata,
  ColumnStatistics,
  Constraint,
  Json,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
  TableVersion,
} from "../../spi.ts";
import { type Constants, constantsOf, hiddenColumns, mayMatch, rowNumberColumn, withoutColumns } from "../constants.ts";
import type { Descriptions } from "../descriptions.ts";
import type { TableFile } from "../folder.ts";
import type { ParquetFooter } from "../parquet/footer.ts";
import type { ParquetSplit } from "../parquet/page-source.ts";
import { parquetSplits } from "../parquet/parquet-table.ts";
import type { Rows } from "../../shared/row-page-source.ts";
import { anyVersion, sharedVersion, storageUntil } from "../../shared/object-store/pinned.ts";
import { columnsOfDeletes } from "./deleted-rows.ts";
import { deltaTable } from "./delta/delta.ts";
import { DeltaLog } from "./delta/log.ts";
import { icebergTable, icebergVersion } from "./iceberg/iceberg.ts";
import { icebergMetadata, type IcebergMetadata } from "./iceberg/metadata.ts";
import type { LakeFile, LakeTable } from "./lake-table.ts";
import { mappedFooter } from "./mapping.ts";
import { type DeltaVersion, deltaMetadataTable } from "./metadata-tables/delta-tables.ts";
import { icebergMetadataTable } from "./metadata-tables/iceberg-tables.ts";
import { type DeltaTableKind, type MetadataTable, type MetadataTableKind, rowsOf } from "./metadata-tables/metadata-tables.ts";
import type { LakePlace } from "./place.ts";
import type { LakeReader } from "./rows.ts";
import { deltaVersionAt, icebergVersionAt } from "./versions.ts";

/** Snapshots that are kept, and the files that they have in all. */
const snapshotsMax = 100;
const snapshotFilesMax = 200_000;

/** A table in one version. Plain JSON. */
export interface LakeHandle extends LakePlace {
  readonly version: string;
  /** A table about the table. */
  readonly about?: MetadataTableKind;
}

const deltaTables: ReadonlySet<MetadataTableKind> = new Set(["history", "partitions", "properties"]);

/** The version of a handle, or the one that a statement asks for. */
type Which = Pick<LakeHandle, "version"> | { readonly name: SchemaTableName; readonly asked: TableVersion | undefined };

type MetadataOf = (folder: string, life: Lifetime) => Promise<IcebergMetadata>;

interface LakesView {
  readonly snapshots: Map<string, LakeTable>;
  readonly life: Lifetime;
}

function newView(): LakesView {
  return { snapshots: new Map(), life: unending };
}

export class Lakes {
  readonly #reader: LakeReader;
  readonly #descriptions: Descriptions;
  readonly #metadata: MetadataOf | undefined;
  /** By folder, version and what tells a table from one in its place. The oldest comes first. */
  readonly #snapshots: Map<string, LakeTable>;
  readonly #life: Lifetime;

  /** `metadata` of the table of a folder; without it, the newest of those in the folder. */
  constructor(reader: LakeReader, descriptions: Descriptions, metadata?: MetadataOf, { snapshots, life }: LakesView = newView()) {
    this.#reader = reader;
    this.#descriptions = descriptions;
    this.#metadata = metadata;
    this.#snapshots = snapshots;
    this.#life = life;
  }

  /** The same tables. Reading their metadata ends with the lifetime. */
  until(life: Lifetime): Lakes {
    const reader = { ...this.#reader, storage: storageUntil(this.#reader.storage, life) };
    return new Lakes(reader, this.#descriptions.until(life), this.#metadata, { snapshots: this.#snapshots, life });
  }

  #icebergMetadata(folder: string): Promise<IcebergMetadata> {
    return this.#metadata?.(folder, this.#life) ?? icebergMetadata(this.#reader, folder);
  }

  /** The table in the version that is asked for, or the last one. */
  async table(
    name: SchemaTableName,
    source: Readonly<Record<string, Json>>,
    place: LakePlace,
    asked: TableVersion | undefined,
  ): Promise<TableMetadata> {
    const table = await this.#open(place, { name, asked });
    const lake: LakeHandle = { ...place, version: table.version };
    return {
      name,
      columns: [...table.columns, ...hiddenColumns],
      handle: { ...source, lake: lake as unknown as Json },
      ...(table.comment !== undefined && { comment: table.comment }),
    };
  }

  /** A table about the table; undefined if its format has none of the kind. */
  async metadataTable(
    name: SchemaTableName,
    source: Readonly<Record<string, Json>>,
    place: LakePlace,
    about: MetadataTableKind,
  ): Promise<TableMetadata | undefined> {
    if (place.kind === "delta" && !deltaTables.has(about)) {
      return undefined;
    }
    const { version } = await this.#open(place, { name, asked: undefined });
    const lake: LakeHandle = { ...place, version, about };
    const { columns } = await this.#metadataTable(lake, about);
    return { name, columns, handle: { ...source, lake: lake as unknown as Json }, coordinatorOnly: true };
  }

  /** Rows of a table about the table. */
  async *metadataRows(handle: LakeHandle, about: MetadataTableKind): Rows {
    yield* rowsOf(await this.#metadataTable(handle, about));
  }

  async #metadataTable({ kind, folder, version }: LakeHandle, about: MetadataTableKind): Promise<MetadataTable> {
    if (kind === "iceberg") {
      const metadata = await this.#icebergMetadata(folder);
      const [id = "", schemaId = "0"] = version.split(".");
      const snapshotId = id === "" ? undefined : id;
      return icebergMetadataTable(about, { reader: this.#reader, metadata, snapshotId, schemaId: Number(schemaId) });
    }
    const log = await DeltaLog.open(this.#reader, folder);
    const delta: DeltaVersion = { log, folder, state: await log.state(Number(version)) };
    return deltaMetadataTable(about as DeltaTableKind, delta);
  }

  async statistics(handle: LakeHandle): Promise<TableStatistics> {
    const { files, fields } = await this.#open(handle, handle);
    let rowCount = 0;
    for (const file of files) {
      const rows = file.rows ?? (await this.#footer(file)).rowGroups.reduce((sum, group) => sum + group.rows, 0);
      rowCount += Math.max(0, rows - (file.deletedRows ?? 0));
    }
    return { rowCount, columns: Object.fromEntries(fields.map(({ name }) => [name, statisticsOf(files, name)])) };
  }

  async splits(handle: LakeHandle, columns: readonly ColumnMetadata[], constraint: Constraint): Promise<readonly Split[]> {
    const table = await this.#open(handle, handle);
    const splits: Split[] = [];
    for (const file of table.files) {
      if (mayHave(file, table, constraint)) {
        splits.push(...(await this.#splitsOf(file, table, { columns, constraint })));
      }
    }
    return splits;
  }

  async #splitsOf(
    file: LakeFile,
    { fields }: LakeTable,
    { columns, constraint }: { readonly columns: readonly ColumnMetadata[]; readonly constraint: Constraint },
  ): Promise<readonly Split[]> {
    const unstored = new Set([...Object.keys(file.constants), ...hiddenColumns.map(({ name }) => name)]);
    const asked = columns.filter(({ name }) => !unstored.has(name));
    const stored = [...asked, ...columnsOfDeletes(file.deletes, asked)];
    const whole = tableFileOf(file);
    const footer = await this.#footer(file);
    const further = file.deletes.flatMap((one) => (one.kind === "values" ? one.fields : []));
    const mapped = mappedFooter(footer, [...fields, ...further.filter(({ name }) => !fields.some((field) => field.name === name))]);
    const constants = constantsRead(file, columns);
    const { deletes } = file;
    const isNumbered = deletes.length > 0 || columns.some(({ name }) => name === rowNumberColumn);
    const firstRows = firstRowsOf(footer);
    return parquetSplits(whole, mapped, { columns: stored, constraint: withoutColumns(constraint, unstored) }).map((split) => {
      const payload = split.payload as unknown as ParquetSplit;
      const added = {
        ...sharedVersion(this.#reader.storage, { version: anyVersion }),
        constants,
        ...(isNumbered && { firstRow: firstRows[payload.rowGroup] ?? 1 }),
        ...(deletes.length > 0 && { deletes }),
      };
      return { ...split, payload: { ...payload, ...added } as unknown as Json };
    });
  }

  async #footer(file: LakeFile): Promise<ParquetFooter> {
    const described = await this.#descriptions.describe(tableFileOf(file), 1, {});
    if (!("footer" in described)) {
      throw new QueryError("NOT_SUPPORTED", `${file.path} is not a Parquet file`);
    }
    return described.footer;
  }

  async #open(place: LakePlace, which: Which): Promise<LakeTable> {
    return place.kind === "delta" ? this.#openDelta(place.folder, which) : this.#openIceberg(place.folder, which);
  }

  async #openDelta(folder: string, which: Which): Promise<LakeTable> {
    const log = await DeltaLog.open(this.#reader, folder);
    const asked = "version" in which ? Number(which.version) : which.asked && (await deltaVersionAt(log, which.asked));
    const number = asked ?? log.latest;
    if (number < 0 || number > log.latest) {
      throw noVersion(folder, asked);
    }
    return this.#kept(JSON.stringify([folder, log.identity(number)]), async () => deltaTable(folder, await log.state(number)));
  }

  async #openIceberg(folder: string, which: Which): Promise<LakeTable> {
    const metadata = await this.#icebergMetadata(folder);
    const asked = "version" in which ? which.version : which.asked && icebergVersionAt(metadata, which.name, which.asked);
    const version = asked ?? icebergVersion(metadata);
    // A snapshot never changes; another table in its place has other metadata files, whose schemas may differ.
    return this.#kept(JSON.stringify([folder, metadata.identity, version]), async () => {
      const table = await icebergTable(this.#reader, metadata, version);
      if (table === undefined) {
        throw noVersion(folder, version);
      }
      return table;
    });
  }

  async #kept(key: string, make: () => Promise<LakeTable>): Promise<LakeTable> {
    const known = this.#snapshots.get(key);
    if (known !== undefined) {
      return known;
    }
    const table = await make();
    this.#snapshots.set(key, table);
    let files = [...this.#snapshots.values()].reduce((sum, one) => sum + one.files.length, 0);
    for (const [oldest, one] of this.#snapshots) {
      if (this.#snapshots.size <= snapshotsMax && files <= snapshotFilesMax) {
        break;
      }
      this.#snapshots.delete(oldest);
      files -= one.files.length;
    }
    return table;
  }
}

function noVersion(folder: string, version: string | number | undefined): QueryError {
  return new QueryError("NOT_FOUND", `Table of folder ${folder} has no version ${version ?? ""}`.trimEnd());
}

function tableFileOf({ path, sizeBytes, modifiedMillis }: LakeFile): TableFile {
  return {
    path,
    sizeBytes,
    version: anyVersion,
    format: "parquet",
    compression: "none",
    partition: new Map(),
    ...(modifiedMillis !== undefined && { modifiedMillis }),
  };
}

function constantsRead(file: LakeFile, columns: readonly ColumnMetadata[]): Constants {
  const known = Object.entries(file.constants).filter(([name]) => columns.some((column) => column.name === name));
  return { ...Object.fromEntries(known), ...constantsOf(tableFileOf(file), columns, new Set()) };
}

function mayHave(file: LakeFile, { columns }: LakeTable, constraint: Constraint): boolean {
  return (
    mayMatch({ ...file.constants, ...constantsOf(tableFileOf(file), [...columns, ...hiddenColumns], new Set()) }, constraint) &&
    [...constraint.summary.domains].every(([name, { values }]) => {
      const bounds = file.bounds.get(name);
      return bounds === undefined || (bounds.isNull !== true && mayLieWithin(values, bounds));
    })
  );
}

function firstRowsOf({ rowGroups }: ParquetFooter): readonly number[] {
  const firsts: number[] = [];
  let next = 1;
  for (const { rows } of rowGroups) {
    firsts.push(next);
    next += rows;
  }
  return firsts;
}

/** Bounds only if every file has them. */
function statisticsOf(files: readonly LakeFile[], name: string): ColumnStatistics {
  const known = files.map(({ bounds }): (DoubleRange & { readonly isNull?: boolean }) | undefined => bounds.get(name));
  const ends = (side: "low" | "high"): readonly number[] | undefined => {
    const values = known.filter((one) => one?.isNull !== true).map((one) => one?.[side]);
    return values.length === 0 || values.includes(undefined) ? undefined : (values as readonly number[]);
  };
  const [lows, highs] = [ends("low"), ends("high")];
  return {
    ...(lows !== undefined && { low: lows.reduce((a, b) => Math.min(a, b)) }),
    ...(highs !== undefined && { high: highs.reduce((a, b) => Math.max(a, b)) }),
  };
}
