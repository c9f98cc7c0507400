/** A version of an Iceberg table, and its partition fields with the types of their values. */
import type { Type } from "../../../../types/type.ts";
import type { IcebergMetadata } from "../iceberg/metadata.ts";
import { icebergColumns } from "../iceberg/schema.ts";
import { type Document, integerAt, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import type { LakeReader } from "../rows.ts";
import { transformedType } from "./values.ts";

/** A version as icebergVersion writes it. */
export interface IcebergVersion {
  readonly reader: LakeReader;
  readonly metadata: IcebergMetadata;
  /** Undefined for a table without rows. */
  readonly snapshotId: string | undefined;
  readonly schemaId: number;
}

export interface PartitionField {
  readonly name: string;
  readonly id: number | undefined;
  readonly sourceId: number;
  readonly transform: string;
  readonly type: Type;
}

/** The fields whose source is a column of one of the schemas, each once. */
export function partitionFieldsOf(
  metadata: IcebergMetadata,
  fields: readonly (Document | undefined)[],
  schemas: readonly (Document | undefined)[] = metadata.schemas,
): readonly PartitionField[] {
  const sources = new Map(
    schemas.flatMap((schema) => icebergColumns(schema).flatMap(({ field }) => flattened(field))).map((one) => [one.id, one]),
  );
  const found = new Map<string, PartitionField>();
  for (const field of fields) {
    const [name, sourceId] = [textAt(field, "name") ?? "", integerAt(field, "source-id")];
    const source = sourceId === undefined ? undefined : sources.get(sourceId);
    const transform = textAt(field, "transform") ?? "";
    const id = integerAt(field, "field-id");
    const key = id === undefined ? name : String(id);
    if (source !== undefined && sourceId !== undefined && !found.has(key)) {
      found.set(key, { name, id, sourceId, transform, type: transformedType(source.type, transform) });
    }
  }
  return [...found.values()];
}

/** The field and all that are inside of it. */
export function flattened(field: LakeField): readonly LakeField[] {
  return [field, ...field.parts.flatMap(flattened)];
}
