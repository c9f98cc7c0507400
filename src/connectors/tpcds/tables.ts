/**
 * The 25 tables of the TPC-DS connector.
 */
import { customer, customerAddress } from "./generators/customers.ts";
import { dateDim, timeDim } from "./generators/dates.ts";
import { customerDemographics, householdDemographics, incomeBand, reason, shipMode } from "./generators/demographics.ts";
import { dbgenVersion, inventory } from "./generators/inventory.ts";
import { item, webPage } from "./generators/items.ts";
import { callCenter, store, webSite } from "./generators/places-tables.ts";
import { catalogPage, promotion, warehouse } from "./generators/promotions.ts";
import { catalogReturns, storeReturns, webReturns } from "./generators/returns.ts";
import { catalogSales, storeSales, webSales } from "./generators/sales-tables.ts";
import type { TpcdsTable } from "./table.ts";

/** Sorted by name. */
export const tables: readonly TpcdsTable[] = [
  callCenter,
  catalogPage,
  catalogReturns,
  catalogSales,
  customer,
  customerAddress,
  customerDemographics,
  dateDim,
  dbgenVersion,
  householdDemographics,
  incomeBand,
  inventory,
  item,
  promotion,
  reason,
  shipMode,
  store,
  storeReturns,
  storeSales,
  timeDim,
  warehouse,
  webPage,
  webReturns,
  webSales,
  webSite,
];

export function findTable(name: string): TpcdsTable | undefined {
  return tables.find((table) => table.name === name);
}
