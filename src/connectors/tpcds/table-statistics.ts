/**
 * Statistics of the tables for the planner, from the generator's rules: exact if a rule gives the number, otherwise the expectation. Money
 * is in whole units with hundredths. Key columns are recognized by the end of their names.
 */
import type { ColumnStatistics, TableStatistics } from "../spi.ts";
import { distinctOf } from "../shared/scaled-tables.ts";
import { dataEnd, dataStart, epochDay, firstDateDay, today } from "./calendar.ts";
import { catalogSalesKind, storeSalesKind, webSalesKind } from "./generators/sales-tables.ts";
import { inventoryWeeks, type Scale, type Sized } from "./scale.ts";
import type { TableColumn, TpcdsTable } from "./table.ts";

/** Tables that key columns refer to; the longest matching ending counts. */
const references: readonly (readonly [string, Sized])[] = [
  ["_call_center_sk", "call_center"],
  ["_catalog_page_sk", "catalog_page"],
  ["_ship_mode_sk", "ship_mode"],
  ["_warehouse_sk", "warehouse"],
  ["_web_page_sk", "web_page"],
  ["_web_site_sk", "web_site"],
  ["_income_band_sk", "income_band"],
  ["_customer_sk", "customer"],
  ["_cdemo_sk", "customer_demographics"],
  ["_hdemo_sk", "household_demographics"],
  ["_addr_sk", "customer_address"],
  ["_item_sk", "item"],
  ["_promo_sk", "promotion"],
  ["_reason_sk", "reason"],
  ["_store_sk", "store"],
];

/** The last day that dsdgen draws: 366 days after the first day of 2002. */
const salesEnd = 2452642;
/** Catalog orders per day are rounded, so that the last orders are later at small scales. */
const catalogSalesEnd = salesEnd + 100;
const secondsOfDay = 86_400;
/** Low and high; every whole number between them occurs. */
type Span = readonly [number, number];

const dateSpans: Readonly<Record<string, Span>> = {
  cs_sold_date_sk: [dataStart, catalogSalesEnd],
  cs_ship_date_sk: [dataStart + 2, catalogSalesEnd + 90],
  ws_ship_date_sk: [dataStart + 1, salesEnd + 120],
  sr_returned_date_sk: [dataStart + 4, salesEnd + 180],
  cr_returned_date_sk: [dataStart + 6, catalogSalesEnd + 270],
  wr_returned_date_sk: [dataStart + 3, salesEnd + 360],
  c_first_sales_date_sk: [today - 3650, today],
  c_first_shipto_date_sk: [today - 3620, today + 30],
  c_last_review_date_sk: [today - 365, today],
  p_start_date_sk: [dataStart - 720, dataStart + 100],
  p_end_date_sk: [dataStart - 719, dataStart + 160],
  s_closed_date_sk: [dataStart + 5, dataStart + 500],
  web_open_date_sk: [dataStart - 4563, dataStart],
  web_close_date_sk: [dataStart - 13_688, dataStart],
  wp_creation_date_sk: [dataStart - 4563, dataStart],
  wp_access_date_sk: [today - 100, today],
};

/** Ranges of whole numbers in the dimensions. */
const spans: Readonly<Record<string, Span>> = {
  d_date: [firstDateDay + 1 - epochDay, firstDateDay + 73_049 - epochDay],
  d_month_seq: [0, 2400],
  d_week_seq: [1, 10_436],
  d_quarter_seq: [1, 801],
  d_year: [1900, 2100],
  d_dow: [0, 6],
  d_moy: [1, 12],
  d_dom: [1, 31],
  d_qoy: [1, 4],
  d_fy_year: [1900, 2100],
  d_fy_quarter_seq: [1, 801],
  d_fy_week_seq: [1, 10_436],
  t_time: [0, secondsOfDay - 1],
  t_hour: [0, 23],
  t_minute: [0, 59],
  t_second: [0, 59],
  cd_dep_count: [0, 6],
  cd_dep_employed_count: [0, 6],
  cd_dep_college_count: [0, 6],
  hd_dep_count: [0, 9],
  hd_vehicle_count: [-1, 4],
  i_manager_id: [1, 100],
  i_manufact_id: [1, 1000],
  i_category_id: [1, 10],
  i_class_id: [1, 16],
  c_birth_day: [1, 31],
  c_birth_month: [1, 12],
  c_birth_year: [1924, 1992],
  inv_quantity_on_hand: [0, 1000],
  s_market_id: [1, 10],
  s_number_employees: [200, 300],
  s_floor_space: [5_000_000, 10_000_000],
  w_warehouse_sq_ft: [50_000, 1_000_000],
  cp_catalog_page_number: [1, 462],
  p_response_target: [1, 1],
  wp_link_count: [2, 25],
  wp_image_count: [1, 7],
  wp_max_ad_count: [0, 4],
};

/** Number of distinct texts. */
const wordCounts: Readonly<Record<string, number>> = {
  i_category: 10,
  i_class: 99,
  i_brand: 714,
  i_size: 7,
  i_color: 92,
  i_units: 21,
  i_container: 1,
  i_manufact: 1000,
  ca_street_name: 8155,
  ca_street_type: 20,
  ca_suite_number: 75,
  ca_street_number: 1000,
  ca_city: 977,
  ca_county: 1850,
  ca_state: 51,
  ca_zip: 7733,
  ca_country: 1,
  ca_location_type: 3,
  cd_gender: 2,
  cd_marital_status: 5,
  cd_education_status: 7,
  cd_credit_rating: 4,
  hd_buy_potential: 6,
  d_day_name: 7,
  d_quarter_name: 800,
  t_am_pm: 2,
  t_shift: 3,
  t_sub_shift: 4,
  t_meal_time: 3,
  c_salutation: 6,
  c_first_name: 5163,
  c_last_name: 5000,
  c_birth_country: 211,
  sm_type: 6,
  sm_code: 7,
  sm_carrier: 20,
  cp_department: 1,
  cp_type: 3,
  wp_type: 7,
  s_hours: 3,
  cc_class: 3,
  cc_hours: 3,
};

/** Minimum and maximum amounts of catalog and web sales in whole units, by the end of the column name. */
const amounts: readonly (readonly [string, number, number])[] = [
  ["_ext_wholesale_cost", 1, 10_000],
  ["i_wholesale_cost", 0.02, 90],
  ["_wholesale_cost", 1, 100],
  ["_ext_list_price", 1, 30_000],
  ["_list_price", 1, 300],
  ["_ext_sales_price", 0, 30_000],
  ["_sales_price", 0, 300],
  ["_ext_discount_amt", 0, 30_000],
  ["_ext_tax", 0, 2700],
  ["_coupon_amt", 0, 30_000],
  ["_ext_ship_cost", 0, 15_000],
  ["_net_paid", 0, 30_000],
  ["_net_paid_inc_tax", 0, 32_700],
  ["_net_paid_inc_ship", 0, 45_000],
  ["_net_paid_inc_ship_tax", 0, 47_700],
  ["_net_profit", -10_000, 20_000],
  ["_return_amt", 0, 30_000],
  ["_return_amount", 0, 30_000],
  ["_return_tax", 0, 2700],
  ["_return_amt_inc_tax", 0, 32_700],
  ["_fee", 0.5, 100],
  ["_return_ship_cost", 0, 15_000],
  ["_refunded_cash", 0, 30_000],
  ["_reversed_charge", 0, 30_000],
  ["_store_credit", 0, 30_000],
  ["_account_credit", 0, 30_000],
  ["_net_loss", 0.5, 17_800],
  ["_current_price", 0.09, 99.99],
  ["_gmt_offset", -10, -5],
  ["_tax_percentage", 0, 0.12],
  ["_tax_precentage", 0, 0.11],
];

/** One of five sales uses its coupon; store_sales has it in two columns. */
const usedCoupons = /_coupon_amt$|^ss_ext_discount_amt$/;

function span([low, high]: Span, rows: number): ColumnStatistics {
  return { low, high, distinctValues: distinctOf(rows, high - low + 1) };
}

const salesKinds = [storeSalesKind, catalogSalesKind, webSalesKind];
/** Keys that are drawn per line; other keys are drawn per order. */
const ofLines = /_(item|promo|warehouse|ship_mode|web_page|web_site|catalog_page|reason|ship_date|returned_date)_sk$/;

function keyStatistics(table: TpcdsTable, scale: Scale, { name }: TableColumn, rows: number): ColumnStatistics {
  const [first] = table.key(scale) ?? [];
  if (name === first && table.key(scale)?.length === 1) {
    const low = name === "d_date_sk" ? firstDateDay + 1 : name === "t_time_sk" ? 0 : 1;
    return { low, high: low + rows - 1, distinctValues: rows };
  }
  if (name === "cp_start_date_sk" || name === "cp_end_date_sk") {
    return { low: dataStart, high: dataEnd + 181, distinctValues: 91 };
  }
  if (name === "inv_date_sk") {
    return { low: dataStart, high: dataStart + 7 * (inventoryWeeks - 1), distinctValues: inventoryWeeks };
  }
  const kind = table.rowsPerUnit === undefined ? undefined : salesKinds.find(({ orders }) => table.units(scale) === scale.rows(orders));
  const draws = kind === undefined || ofLines.test(name) ? rows : Math.min(rows, scale.rows(kind.orders));
  if (name.endsWith("_date_sk")) {
    return span(dateSpans[name] ?? [dataStart, salesEnd], draws);
  }
  if (name.endsWith("_time_sk")) {
    return span([0, secondsOfDay - 1], draws);
  }
  if (name.endsWith("_number") && kind !== undefined) {
    return { low: 1, high: scale.rows(kind.orders), distinctValues: draws };
  }
  const reference = references.find(([ending]) => name.endsWith(ending));
  return reference === undefined ? {} : span([1, scale.rows(reference[1])], draws);
}

function columnStatistics(table: TpcdsTable, scale: Scale, column: TableColumn, rows: number): ColumnStatistics {
  const { name, type } = column;
  const wholeNumbers = spans[name] ?? (name.endsWith("_quantity") ? ([1, 100] as const) : undefined);
  if (wholeNumbers !== undefined) {
    return span(wholeNumbers, rows);
  }
  switch (type.kind) {
    case "bigint":
      return keyStatistics(table, scale, column, rows);
    case "decimal": {
      const amount = amounts.find(([ending]) => name.endsWith(ending));
      if (amount === undefined) {
        return {};
      }
      const [, low, high] = amount;
      if (name.endsWith("_gmt_offset")) {
        return { low, high, distinctValues: distinctOf(rows, high - low + 1) };
      }
      const used = usedCoupons.test(name) ? rows / 5 : rows;
      return { low, high, distinctValues: distinctOf(used, (high - low) * 100 + 1) };
    }
    case "char":
    case "varchar":
      return textStatistics(column, rows);
    default:
      return {};
  }
}

/** Texts up to this length use all of it; longer ones are estimated at half of their length. */
const shortText = 16;

function textStatistics({ name, type }: TableColumn, rows: number): ColumnStatistics {
  const length = type.kind === "char" || type.kind === "varchar" ? (type.length ?? shortText) : shortText;
  const averageBytes = length <= shortText ? length : Math.max(shortText, length / 2);
  if (length === 1) {
    return { averageBytes, distinctValues: Math.min(rows, wordCounts[name] ?? 2) };
  }
  if (/^[a-z]+_(item|store|web_page|call_center|site)_id$/.test(name)) {
    return { averageBytes, distinctValues: Math.ceil(rows / 2) };
  }
  if (name.endsWith("_id")) {
    return { averageBytes, distinctValues: rows };
  }
  const words = wordCounts[name];
  return words === undefined ? { averageBytes } : { averageBytes, distinctValues: distinctOf(rows, words) };
}

/** Fractions of NULLs that do not come from the table's NULL rule. */
const nullShares: Readonly<Record<string, number>> = {
  c_login: 1,
  cc_closed_date_sk: 1,
  cc_rec_end_date: 0.5,
  i_rec_end_date: 0.5,
  s_rec_end_date: 0.5,
  web_rec_end_date: 0.5,
  wp_rec_end_date: 0.5,
  s_closed_date_sk: 0.7,
  web_close_date_sk: 0.5,
  wp_customer_sk: 0.7,
  t_meal_time: 14 / 24,
};

/** In a row with NULLs half of the bits are set. */
function nullsFraction({ nulls }: TpcdsTable, { name, bit }: TableColumn): number {
  const always = nullShares[name];
  if (always !== undefined) {
    return always;
  }
  const isNever = nulls === undefined || bit >= 31 || (nulls.notNull & (1 << bit)) !== 0;
  return isNever ? 0 : nulls.basisPoints / 20_000;
}

export function tableStatistics(table: TpcdsTable, scale: Scale): TableStatistics {
  const rowCount = table.rows(scale);
  return {
    rowCount,
    columns: Object.fromEntries(
      table.columns.map((column) => [
        column.name,
        { ...columnStatistics(table, scale, column, rowCount), nullsFraction: nullsFraction(table, column) },
      ]),
    ),
  };
}
