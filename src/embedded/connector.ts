/**
 * `orrery/connector`: what a connector needs. A connector is a ConnectorFactory, given to `createNode` or `createCluster`;
 * docs/embedding.md has one. RowPageSource turns rows into pages; a connector that must be fast fills pages itself, with PageBuilder.
 */
export { ComputedSplits, type SplitList } from "../connectors/shared/splits.ts";
export { dataSizeProperty, integerProperty, invalidProperty } from "../connectors/shared/properties.ts";
export {
  allAtOnce,
  type Cell,
  type Row,
  RowPageSource,
  type RowPageSourceOptions,
  type Rows,
} from "../connectors/shared/row-page-source.ts";
export { alwaysTrue, MalformedCall } from "../connectors/spi.ts";
export type * from "../connectors/spi.ts";
export type * from "../connectors/table-function.ts";
export type { LinearMemory, MemoryContext } from "../memory/memory.ts";
export { PageBuilder } from "../page/builder.ts";
export { type Page, pageRowsMax } from "../page/page.ts";
export { type PageValue, readValue } from "../page/reader.ts";
export { type ErrorLocation, type ErrorName, type ErrorType, QueryError } from "../protocol/errors.ts";
export { Domain } from "../types/domain/domain.ts";
export type { Bound, DomainValue, Range } from "../types/domain/range.ts";
export { TupleDomain } from "../types/domain/tuple-domain.ts";
export { ValueSet } from "../types/domain/value-set.ts";
export {
  arrayType,
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  mapType,
  REAL,
  type RowField,
  rowType,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../types/type.ts";
