/** Which version of a table of a table format a statement asks for. Messages are those of Trino's connectors. */
import { QueryError } from "../../../protocol/errors.ts";
import { displayType } from "../../../types/type.ts";
import type { SchemaTableName, TableVersion } from "../../spi.ts";
import type { DeltaLog } from "./delta/log.ts";
import { icebergVersion } from "./iceberg/iceberg.ts";
import type { IcebergMetadata, Snapshot } from "./iceberg/metadata.ts";

const integerKinds: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint"]);
const microsPerMilli = 1000n;

type NumberedVersion = Extract<TableVersion, { readonly pointer: "VERSION" }>;

function unsupportedType({ type }: NumberedVersion): QueryError {
  return new QueryError("NOT_SUPPORTED", `Unsupported type for table version: ${displayType(type)}`);
}

interface Moment extends Pick<TableVersion, "state"> {
  readonly epochMicros: bigint;
  /** As the statement has it. */
  readonly text: string;
}

/** Whether a version of this time is at or before the moment; before it with BEFORE. */
function isReached(millis: number, { epochMicros, state }: Moment): boolean {
  const micros = BigInt(Math.floor(millis)) * microsPerMilli;
  return state === "BEFORE" ? micros < epochMicros : micros <= epochMicros;
}

function noHistory(what: string, { state, text }: Moment): QueryError {
  return new QueryError("INVALID_ARGUMENTS", `No ${what} ${state === "BEFORE" ? "before" : "at or before"} ${text}`);
}

/** The number of a version of a Delta Lake table. */
export async function deltaVersionAt(log: DeltaLog, asked: TableVersion): Promise<number> {
  if (asked.pointer === "TIMESTAMP") {
    const found = await log.lastVersion((millis) => isReached(millis, asked));
    if (found === undefined) {
      throw noHistory("temporal version history", asked);
    }
    return found;
  }
  if (!integerKinds.has(asked.type.kind)) {
    throw unsupportedType(asked);
  }
  const number = Number(asked.value) - (asked.state === "BEFORE" ? 1 : 0);
  if (!log.has(number)) {
    throw new QueryError("INVALID_ARGUMENTS", `Delta Lake snapshot ID does not exists: ${asked.value}`);
  }
  return number;
}

/** The version, as icebergVersion gives it, of an Iceberg table: by the id of a snapshot, the name of a branch or tag, or an instant. */
export function icebergVersionAt(metadata: IcebergMetadata, name: SchemaTableName, asked: TableVersion): string {
  if (asked.pointer === "TIMESTAMP") {
    return icebergVersion(metadata, lastSnapshot(metadata, name, asked));
  }
  const snapshot = namedSnapshot(metadata, asked);
  if (asked.state === "AS OF") {
    return icebergVersion(metadata, snapshot);
  }
  const epochMicros = BigInt(snapshot.timestampMillis) * microsPerMilli;
  return icebergVersion(metadata, lastSnapshot(metadata, name, { state: "BEFORE", epochMicros, text: `snapshot ${snapshot.id}` }));
}

function lastSnapshot(metadata: IcebergMetadata, name: SchemaTableName, moment: Moment): Snapshot {
  const id = metadata.history.findLast(({ timestampMillis }) => isReached(timestampMillis, moment))?.snapshotId;
  const snapshot = id === undefined ? undefined : metadata.snapshot(id);
  if (snapshot === undefined) {
    throw noHistory(`version history table "${name.schema}"."${name.table}"`, moment);
  }
  return snapshot;
}

function namedSnapshot(metadata: IcebergMetadata, asked: NumberedVersion): Snapshot {
  const { type, value } = asked;
  if (type.kind !== "varchar" && !integerKinds.has(type.kind)) {
    throw unsupportedType(asked);
  }
  const id = type.kind === "varchar" ? metadata.reference(value) : value;
  if (id === undefined) {
    throw new QueryError("INVALID_ARGUMENTS", `Cannot find snapshot with reference name: ${value}`);
  }
  const snapshot = metadata.snapshot(id);
  if (snapshot === undefined) {
    throw new QueryError("INVALID_ARGUMENTS", `Iceberg snapshot ID does not exists: ${id}`);
  }
  return snapshot;
}
