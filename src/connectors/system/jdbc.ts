/**
 * The schema `jdbc` of the system connector: the tables that the JDBC drivers of Presto and Trino query for java.sql.DatabaseMetaData. The
 * metadata filter on catalogs, schemas and tables determines which connectors are read.
 */
import type { ColumnMetadata, SchemaTableName } from "../spi.ts";
import type { Row, Rows } from "../shared/row-page-source.ts";
import { columnsOf, type ListedCatalog, relationOf, schemasOf, tablesBySchema, viewOf } from "../shared/walk.ts";
import { nameFilters, matcherOf } from "../shared/metadata-filter.ts";
import { charOctetLength, columnSize, decimalDigits, jdbcTypeCode, numericRadix } from "./jdbc-types.ts";
import { typeRows } from "./jdbc-type-rows.ts";
import { bigints, booleans, emptyTable, fixedTable, type SystemRequest, type SystemSchema, varchars, selectedCatalogs } from "./tables.ts";

/** DatabaseMetaData.columnNoNulls and columnNullable */
const columnNoNulls = 0;
const columnNullable = 1;

/** Common columns of table columns and of attributes of types. */
const columnTail: readonly ColumnMetadata[] = Object.freeze([
  ...bigints("sql_data_type", "sql_datetime_sub", "char_octet_length", "ordinal_position"),
  ...varchars("is_nullable"),
]);
const scopeColumns: readonly ColumnMetadata[] = Object.freeze([
  ...varchars("scope_catalog", "scope_schema", "scope_table"),
  ...bigints("source_data_type"),
]);

export const jdbcTables: SystemSchema = Object.freeze({
  attributes: emptyTable(
    ...varchars("type_cat", "type_schem", "type_name", "attr_name"),
    ...bigints("data_type"),
    ...varchars("attr_type_name"),
    ...bigints("attr_size", "decimal_digits", "num_prec_radix", "nullable"),
    ...varchars("remarks", "attr_def"),
    ...columnTail,
    ...scopeColumns,
  ),
  catalogs: fixedTable(varchars("table_cat"), (provider) => provider.catalogs().map(({ name }) => ({ table_cat: name }))),
  columns: {
    columns: [
      ...varchars("table_cat", "table_schem", "table_name", "column_name"),
      ...bigints("data_type"),
      ...varchars("type_name"),
      ...bigints("column_size", "buffer_length", "decimal_digits", "num_prec_radix", "nullable"),
      ...varchars("remarks", "column_def"),
      ...columnTail,
      ...scopeColumns,
      ...varchars("is_autoincrement", "is_generatedcolumn"),
    ],
    rows: columnRows,
  },
  procedure_columns: emptyTable(
    ...varchars("procedure_cat", "procedure_schem", "procedure_name", "column_name"),
    ...bigints("column_type", "data_type"),
    ...varchars("type_name"),
    ...bigints("precision", "length", "scale", "radix", "nullable"),
    ...varchars("remarks", "column_def"),
    ...columnTail,
    ...varchars("specific_name"),
  ),
  procedures: emptyTable(
    ...varchars("procedure_cat", "procedure_schem", "procedure_name", "remarks"),
    ...bigints("procedure_type"),
    ...varchars("specific_name"),
  ),
  pseudo_columns: emptyTable(
    ...varchars("table_cat", "table_schem", "table_name", "column_name"),
    ...bigints("data_type", "column_size", "decimal_digits", "num_prec_radix"),
    ...varchars("column_usage", "remarks"),
    ...bigints("char_octet_length", "is_nullable"),
  ),
  schemas: { columns: varchars("table_schem", "table_catalog"), rows: schemaRows },
  super_tables: emptyTable(...varchars("table_cat", "table_schem", "table_name", "supertable_name")),
  super_types: emptyTable(...varchars("type_cat", "type_schem", "type_name", "supertype_cat", "supertype_schem", "supertype_name")),
  table_types: fixedTable(varchars("table_type"), () => [{ table_type: "TABLE" }, { table_type: "VIEW" }]),
  tables: {
    columns: varchars(
      "table_cat",
      "table_schem",
      "table_name",
      "table_type",
      "remarks",
      "type_cat",
      "type_schem",
      "type_name",
      "self_referencing_col_name",
      "ref_generation",
    ),
    rows: tableRows,
  },
  types: fixedTable(
    [
      ...varchars("type_name"),
      ...bigints("data_type", "precision"),
      ...varchars("literal_prefix", "literal_suffix", "create_params"),
      ...bigints("nullable"),
      ...booleans("case_sensitive"),
      ...bigints("searchable"),
      ...booleans("unsigned_attribute", "fixed_prec_scale", "auto_increment"),
      ...varchars("local_type_name"),
      ...bigints("minimum_scale", "maximum_scale", "sql_data_type", "sql_datetime_sub", "num_prec_radix"),
    ],
    () => typeRows,
  ),
  udts: emptyTable(...varchars("type_cat", "type_schem", "type_name", "class_name", "data_type", "remarks", "base_type")),
});

async function* schemaRows(request: SystemRequest): Rows {
  const isSelected = matcherOf(request.filter, "table_schem");
  for (const catalog of selectedCatalogs(request, "table_catalog")) {
    const schemas = await schemasOf(catalog);
    yield schemas.filter(isSelected).map((schema) => ({ table_schem: schema, table_catalog: catalog.name }));
  }
}

interface Found {
  readonly catalog: ListedCatalog;
  /** All tables of one schema. */
  readonly tables: readonly SchemaTableName[];
}

async function* selectedTables(request: SystemRequest): AsyncGenerator<Found> {
  const names = nameFilters(request.filter, "table_schem", "table_name");
  for (const catalog of selectedCatalogs(request, "table_cat")) {
    for await (const tables of tablesBySchema(catalog, names)) {
      yield { catalog, tables };
    }
  }
}

/** View kinds and comments are looked up only if the query reads them. */
async function* tableRows(request: SystemRequest): Rows {
  const { read } = request;
  const isTypeSelected = matcherOf(request.filter, "table_type");
  for await (const { catalog, tables } of selectedTables(request)) {
    const rows: Row[] = [];
    for (const name of tables) {
      const view = read.has("table_type") || read.has("remarks") ? await viewOf(catalog, name) : undefined;
      const type = view === undefined ? "TABLE" : "VIEW";
      if (!read.has("table_type") || isTypeSelected(type)) {
        const comment = read.has("remarks") ? (view ?? (await relationOf(catalog, name)))?.comment : undefined;
        const cells = { table_cat: catalog.name, table_schem: name.schema, table_name: name.table };
        rows.push({ ...cells, table_type: type, remarks: comment ?? null });
      }
    }
    yield rows;
  }
}

async function* columnRows(request: SystemRequest): Rows {
  const isSelected = matcherOf(request.filter, "column_name");
  for await (const { catalog, tables } of selectedTables(request)) {
    for (const name of tables) {
      const columns = await columnsOf(catalog, name);
      yield columns
        .map((column, index): Row => ({ ...columnRow(catalog.name, name, column, index + 1), type_name: request.typeText(column.type) }))
        .filter((row) => isSelected(String(row["column_name"])));
    }
  }
}

/** Columns that are not listed are null: unknown. */
function columnRow(catalog: string, table: SchemaTableName, column: ColumnMetadata, position: number): Row {
  const { comment, defaultValue, name, type } = column;
  const isNullable = column.nullable !== false;
  return {
    table_cat: catalog,
    table_schem: table.schema,
    table_name: table.table,
    column_name: name,
    data_type: jdbcTypeCode(type),
    column_size: columnSize(type),
    buffer_length: 0,
    decimal_digits: decimalDigits(type),
    num_prec_radix: numericRadix(type),
    nullable: isNullable ? columnNullable : columnNoNulls,
    remarks: comment ?? null,
    column_def: defaultValue?.sql ?? null,
    char_octet_length: charOctetLength(type),
    ordinal_position: position,
    is_nullable: isNullable ? "YES" : "NO",
  };
}
