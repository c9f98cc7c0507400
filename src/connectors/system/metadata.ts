/**
 * The schema `metadata` of the system connector: the node's catalogs.
 */
import { informationSchema } from "../shared/information-schema.ts";
import type { Row, Rows } from "../shared/row-page-source.ts";
import { relationOf, tablesBySchema } from "../shared/walk.ts";
import { nameFilters } from "../shared/metadata-filter.ts";
import { emptyTable, fixedTable, type SystemRequest, type SystemSchema, varchars, selectedCatalogs } from "./tables.ts";

const propertyColumns = varchars("catalog_name", "property_name", "default_value", "type", "description");
/** No connector has properties for CREATE statements other than CREATE TABLE. */
const properties = emptyTable(...propertyColumns);

/** No connector has materialized views; tools that list relations join this table. */
const materializedViews = emptyTable(
  ...varchars("catalog_name", "schema_name", "name", "storage_catalog", "storage_schema", "storage_table", "freshness"),
  { name: "last_fresh_time", type: { kind: "timestamp with time zone", precision: 9 } },
  ...varchars("comment", "definition"),
);

export const metadataTables: SystemSchema = Object.freeze({
  analyze_properties: properties,
  catalogs: fixedTable(varchars("catalog_name", "connector_id", "connector_name"), (provider) =>
    provider.catalogs().map(({ name, connectorName }) => ({ catalog_name: name, connector_id: name, connector_name: connectorName })),
  ),
  column_properties: properties,
  materialized_view_properties: properties,
  materialized_views: materializedViews,
  schema_properties: properties,
  table_comments: { columns: varchars("catalog_name", "schema_name", "table_name", "comment"), rows: commentRows },
  table_properties: { columns: propertyColumns, rows: tablePropertyRows },
});

async function* tablePropertyRows(request: SystemRequest): Rows {
  for (const { name: catalog, metadata } of selectedCatalogs(request, "catalog_name")) {
    yield (metadata.tableProperties ?? []).map(({ name, type, description, defaultValue }) => ({
      catalog_name: catalog,
      property_name: name,
      default_value: defaultValue ?? "",
      type,
      description,
    }));
  }
}

async function* commentRows(request: SystemRequest): Rows {
  const { read, filter } = request;
  for (const catalog of selectedCatalogs(request, "catalog_name")) {
    const names = nameFilters(filter, "schema_name", "table_name");
    const schema = (name: string): boolean => name !== informationSchema && names.schema(name);
    for await (const found of tablesBySchema(catalog, { ...names, schema })) {
      const rows: Row[] = [];
      for (const name of found) {
        const relation = read.has("comment") ? await relationOf(catalog, name) : undefined;
        rows.push({ catalog_name: catalog.name, schema_name: name.schema, table_name: name.table, comment: relation?.comment ?? null });
      }
      yield rows;
    }
  }
}
