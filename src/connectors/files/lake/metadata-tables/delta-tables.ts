/** Metadata tables of Delta Lake. */
import { compareNested } from "../../../../types/nested/nested-order.ts";
import type { NestedValue } from "../../../../types/nested/nested.ts";
import { domainValueOf } from "../../../../types/domain/texts.ts";
import { BIGINT, BOOLEAN, isNested, rowType, type Type, VARCHAR } from "../../../../types/type.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import { BadData } from "../../../shared/file-errors.ts";
import { deltaKeys } from "../delta/delta.ts";
import type { DeltaLog, DeltaState } from "../delta/log.ts";
import type { DeltaColumn } from "../delta/schema.ts";
import { asDocument, bigintOf, type Document, documentAt, integerAt, listAt, member, parsedExactly, textAt } from "../json.ts";
import { constantText } from "../values.ts";
import {
  booleanOf,
  columnsOfTypes,
  type DeltaTableKind,
  type MetadataTable,
  momentOf,
  momentType,
  propertyColumns,
  rangesType,
  textEntries,
  textOf,
  textsType,
} from "./metadata-tables.ts";

export interface DeltaVersion {
  readonly log: DeltaLog;
  readonly folder: string;
  readonly state: DeltaState;
}

export function deltaMetadataTable(kind: DeltaTableKind, version: DeltaVersion): MetadataTable {
  switch (kind) {
    case "history":
      return historyTable(version.log);
    case "partitions":
      return partitionsTable(version);
    case "properties":
      return { columns: propertyColumns, values: async () => propertiesOf(version.state) };
  }
}

function historyTable(log: DeltaLog): MetadataTable {
  return {
    columns: columnsOfTypes({
      version: BIGINT,
      timestamp: momentType,
      user_id: VARCHAR,
      user_name: VARCHAR,
      operation: VARCHAR,
      operation_parameters: textsType,
      cluster_id: VARCHAR,
      read_version: BIGINT,
      isolation_level: VARCHAR,
      is_blind_append: BOOLEAN,
      operation_metrics: textsType,
    }),
    values: async () =>
      (await log.history()).map(({ version, info }) => [
        BigInt(version),
        momentOf(integerAt(info, "inCommitTimestamp") ?? integerAt(info, "timestamp")),
        textOf(member(info, "userId")),
        textOf(member(info, "userName")),
        textOf(member(info, "operation")),
        textEntries(documentAt(info, "operationParameters")),
        textOf(member(info, "clusterId") ?? member(documentAt(info, "notebook"), "clusterId")),
        bigintOf(member(info, "readVersion")),
        textOf(member(info, "isolationLevel")),
        booleanOf(member(info, "isBlindAppend")),
        textEntries(documentAt(info, "operationMetrics")),
      ]),
  };
}

function propertiesOf({ metadata, protocol }: DeltaState): readonly (readonly NestedValue[])[] {
  const configuration = Object.entries(documentAt(metadata, "configuration") ?? {}).map(([name, value]) => [name, String(value)]);
  const features = new Set([...listAt(protocol, "readerFeatures"), ...listAt(protocol, "writerFeatures")].map(String));
  return [
    ...configuration,
    ["delta.minReaderVersion", String(integerAt(protocol, "minReaderVersion") ?? 1)],
    ["delta.minWriterVersion", String(integerAt(protocol, "minWriterVersion") ?? 1)],
    ...[...features].map((feature) => [`delta.feature.${feature}`, "supported"]),
  ];
}

function partitionsTable({ folder, state }: DeltaVersion): MetadataTable {
  const { keys, stored } = deltaKeys(folder, state);
  const measured = stored.filter(({ field }) => !isNested(field.type));
  const dataType = rangesType(
    measured.map(({ writtenName, field }) => ({ name: writtenName, type: field.type })),
    ["null_count"],
  );
  const keysType = rowType(keys.map(({ writtenName, field }) => ({ name: writtenName, type: field.type })));
  return {
    columns: [
      ...(keys.length === 0 ? [] : [{ name: "partition", type: keysType }]),
      ...columnsOfTypes({ file_count: BIGINT, total_size: BIGINT }),
      ...(measured.length === 0 ? [] : [{ name: "data", type: dataType }]),
    ],
    // A table without partitions has no rows here, as in Trino.
    values: async () => (keys.length === 0 ? [] : partitionsOf(state.adds, keys, measured)),
  };
}

function partitionsOf(
  adds: readonly Document[],
  keys: readonly DeltaColumn[],
  measured: readonly DeltaColumn[],
): readonly (readonly NestedValue[])[] {
  const groups = new Map<string, { readonly partition: NestedValue[]; readonly adds: Document[] }>();
  for (const add of adds.toSorted((a, b) => ((textAt(a, "path") ?? "") < (textAt(b, "path") ?? "") ? -1 : 1))) {
    const values = documentAt(add, "partitionValues");
    const texts = keys.map(({ field }) => textAt(values, field.storedName) || null);
    const key = JSON.stringify(texts);
    const partition = keys.map(({ field }, index) => valueOf(field.type, texts[index] ?? null));
    const group = groups.get(key) ?? { partition, adds: [] };
    groups.set(key, group);
    group.adds.push(add);
  }
  return [...groups.values()].map((group) => {
    const stats = group.adds.map(statisticsOf);
    return [
      group.partition,
      BigInt(group.adds.length),
      bigintOf(group.adds.reduce((sum, add) => sum + (bigintOf(member(add, "size")) ?? 0n), 0n)),
      ...(measured.length === 0 ? [] : [measured.map((column) => rangeOf(column, stats))]),
    ];
  });
}

function valueOf(type: Type, text: string | null): NestedValue {
  if (text === null) {
    return null;
  }
  try {
    return domainValueOf(type, constantText(type, text));
  } catch (error) {
    if (error instanceof BadData) {
      return null;
    }
    throw error;
  }
}

function statisticsOf(add: Document): Document | undefined {
  const text = textAt(add, "stats");
  try {
    return text === undefined ? undefined : parsedExactly("", encodeUtf8(text));
  } catch {
    return undefined;
  }
}

/** `[min, max, null_count]`; each is known if every file says it. A file whose values are all NULL has no bounds. */
function rangeOf({ field: { storedName, type } }: DeltaColumn, stats: readonly (Document | undefined)[]): NestedValue {
  const of = (one: Document | undefined, name: string): unknown => member(asDocument(member(one, name)), storedName);
  const isNull = (one: Document | undefined): boolean => {
    const nulls = bigintOf(of(one, "nullCount"));
    return nulls !== null && nulls === bigintOf(member(one, "numRecords"));
  };
  const end = (name: string, isBetter: (order: number) => boolean): NestedValue => {
    const values = stats.filter((one) => !isNull(one)).map((one) => boundOf(type, of(one, name)));
    return values.includes(null)
      ? null
      : values.reduce((best, one) => (best === null || isBetter(compareNested(type, one, best)) ? one : best), null);
  };
  const nulls = stats.map((one) => bigintOf(of(one, "nullCount")));
  return [
    end("minValues", (order) => order < 0),
    end("maxValues", (order) => order > 0),
    nulls.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n),
  ];
}

function boundOf(type: Type, value: unknown): NestedValue {
  if (typeof value === "string") {
    return valueOf(type, type.kind === "timestamp" || type.kind === "timestamp with time zone" ? value.replace("T", " ") : value);
  }
  return typeof value === "number" || typeof value === "bigint" ? valueOf(type, String(value)) : null;
}
