/** store_sales, catalog_sales and web_sales. */
import { dataStart, dateOfJulianDay, dayOfYear, drawSalesDay, isLeap, salesDays, salesWeight } from "../calendar.ts";
import { catalogTypeWeights } from "../data/lists.ts";
import { cumulativeWeights, pick } from "../distributions.ts";
import type { SaleAmounts } from "./pricing.ts";
import { catalogsPerYear, pagesPerCatalog } from "./promotions.ts";
import {
  amountCells,
  type Draw,
  historyRow,
  keyOfLine,
  keyOfOrder,
  lineByLine,
  linesEstimate,
  lineStream,
  orderStream,
  perOrder,
  remoteHours,
  type Sale,
  saleOf,
  type SalesKind,
  storeHours,
  timeOfDay,
} from "./sales.ts";
import { cellsByName, columnsOf, number, perRow, type TableContext, type TpcdsTable } from "../table.ts";

/** dsdgen draws at most 16 lines per order. With fewer items, one item could occur twice in an order. */
export function keyWhenDistinct(...columns: readonly string[]): TpcdsTable["key"] {
  return (scale) => (scale.keys("item") >= 16 ? columns : undefined);
}

function salesTable(
  name: string,
  kind: SalesKind,
  rest: {
    readonly columns: TpcdsTable["columns"];
    readonly key: TpcdsTable["key"];
    readonly basisPoints: number;
    readonly notNull: number;
  } & Pick<TpcdsTable, "cell">,
): TpcdsTable {
  return {
    name,
    columns: rest.columns,
    key: rest.key,
    nulls: { stream: kind.nulls, drawsPerRow: kind.linesDrawn * 2, basisPoints: rest.basisPoints, notNull: rest.notNull },
    rows: (scale) => linesEstimate(kind, scale.rows(kind.orders)),
    units: (scale) => scale.rows(kind.orders),
    rowsPerUnit: kind.lines.max,
    advance: lineByLine(kind, false),
    nullDraw: ({ line }) => line * 2,
    cell: rest.cell,
  };
}

export const storeSalesKind: SalesKind = {
  orders: "store_sales",
  lines: { column: 323, min: 8, max: 16 },
  linesDrawn: 16,
  pricing: 337,
  markupMax: 100,
  item: 316,
  permutation: 339,
  isReturned: 336,
  nulls: 338,
};

export interface StoreSale extends Sale {
  readonly customer: Draw;
}

export function storeSale(context: TableContext): StoreSale {
  const dates = orderStream(context, 314, 2);
  const days = salesDays();
  const soldDate = perOrder(context.cursor, () => drawSalesDay(days, dates()));
  return { ...saleOf(context, storeSalesKind, soldDate), customer: keyOfOrder(context, 317, "customer") };
}

const storeAmounts: Readonly<Record<string, keyof SaleAmounts>> = {
  ss_quantity: "quantity",
  ss_wholesale_cost: "wholesaleCost",
  ss_list_price: "listPrice",
  ss_sales_price: "salesPrice",
  // dsdgen prints the coupon in this column too.
  ss_ext_discount_amt: "coupon",
  ss_ext_sales_price: "extSalesPrice",
  ss_ext_wholesale_cost: "extWholesaleCost",
  ss_ext_list_price: "extListPrice",
  ss_ext_tax: "extTax",
  ss_coupon_amt: "coupon",
  ss_net_paid: "netPaid",
  ss_net_paid_inc_tax: "netPaidIncTax",
  ss_net_profit: "netProfit",
};

export const storeSales = salesTable("store_sales", storeSalesKind, {
  columns: columnsOf(
    `ss_sold_date_sk k, ss_sold_time_sk k, ss_item_sk k, ss_customer_sk k, ss_cdemo_sk k, ss_hdemo_sk k, ss_addr_sk k, ss_store_sk k
ss_promo_sk k, ss_ticket_number k, ss_quantity i, ss_wholesale_cost m7, ss_list_price m7, ss_sales_price m7, ss_ext_discount_amt m7
ss_ext_sales_price m7, ss_ext_wholesale_cost m7, ss_ext_list_price m7, ss_ext_tax m7, ss_coupon_amt m7, ss_net_paid m7
ss_net_paid_inc_tax m7, ss_net_profit m7`,
    {
      ss_ext_discount_amt: 14,
      ss_coupon_amt: 14,
      ss_ext_sales_price: 15,
      ss_ext_wholesale_cost: 16,
      ss_ext_list_price: 17,
      ss_ext_tax: 18,
      ss_net_paid: 19,
      ss_net_paid_inc_tax: 20,
      ss_net_profit: 21,
    },
  ),
  key: keyWhenDistinct("ss_item_sk", "ss_ticket_number"),
  basisPoints: 900,
  notNull: 0x204,
  cell: (context) => {
    const { scale } = context;
    const sale = storeSale(context);
    return cellsByName({
      ss_sold_date_sk: () => number(sale.soldDate),
      ss_sold_time_sk: () => {
        const stream = orderStream(context, 315, 2);
        return number(perOrder(context.cursor, () => timeOfDay(storeHours, stream())));
      },
      ss_item_sk: () => number(sale.item),
      ss_customer_sk: () => number(sale.customer),
      ss_cdemo_sk: () => number(keyOfOrder(context, 318, "customer_demographics")),
      ss_hdemo_sk: () => number(keyOfOrder(context, 319, "household_demographics")),
      ss_addr_sk: () => number(keyOfOrder(context, 320, "customer_address")),
      ss_store_sk: () => {
        const stream = orderStream(context, 321);
        return number(perOrder(context.cursor, () => historyRow(scale, "store", stream(), 1)));
      },
      ss_promo_sk: () => number(keyOfLine(context, storeSalesKind, 322, "promotion")),
      ss_ticket_number: () => number(sale.order),
      ...amountCells(sale.amounts, storeAmounts),
    });
  },
});

export const catalogSalesKind: SalesKind = {
  orders: "catalog_sales",
  lines: { column: 92, min: 4, max: 14 },
  linesDrawn: 14,
  pricing: 109,
  markupMax: 200,
  item: 90,
  permutation: 110,
  isReturned: 112,
  nulls: 111,
};

/** The customer who paid for an order or received it. */
export interface Party {
  readonly customer: Draw;
  readonly cdemo: Draw;
  readonly hdemo: Draw;
  readonly addr: Draw;
}

/** A sale with a delivery. */
export interface RemoteSale extends Sale {
  readonly shipDate: Draw;
  readonly bill: Party;
  readonly ship: Party;
}

/** `columns` are those of the four keys. */
function party(context: TableContext, columns: readonly [number, number, number, number], cdemoDraws = 1): Party {
  return {
    customer: keyOfOrder(context, columns[0], "customer"),
    cdemo: keyOfOrder(context, columns[1], "customer_demographics", cdemoDraws),
    hdemo: keyOfOrder(context, columns[2], "household_demographics"),
    addr: keyOfOrder(context, columns[3], "customer_address"),
  };
}

/** The first draw of the customer's stream decides whether the order is a gift. */
function receiver(
  context: TableContext,
  options: {
    readonly bill: Party;
    readonly columns: readonly [number, number, number, number];
    readonly cdemoDraws: number;
    readonly isGift: (percent: number) => boolean;
  },
): Party {
  const { cursor, scale } = context;
  const { bill, columns, isGift } = options;
  const stream = orderStream(context, columns[0], 2);
  const customers = scale.rows("customer");
  const drawn = perOrder(cursor, () => {
    const draws = stream();
    return isGift(draws.uniform(0, 99)) ? draws.uniform(1, customers) : undefined;
  });
  const own = party(context, columns, options.cdemoDraws);
  return {
    customer: () => drawn() ?? bill.customer(),
    cdemo: () => (drawn() === undefined ? bill.cdemo() : own.cdemo()),
    hdemo: () => (drawn() === undefined ? bill.hdemo() : own.hdemo()),
    addr: () => (drawn() === undefined ? bill.addr() : own.addr()),
  };
}

function shipDate(
  context: TableContext,
  kind: SalesKind,
  options: { column: number; daysMin: number; daysMax: number; soldDate: Draw },
): Draw {
  const stream = lineStream(context, kind, options.column, 1);
  return perRow(context.cursor, () => options.soldDate() + stream().uniform(options.daysMin, options.daysMax));
}

/** Orders are distributed over the days of five years by the weights of the days. */
function ordersOfDay(orders: number, julian: number): number {
  const date = dateOfJulianDay(julian);
  const leap = isLeap(date.year);
  const total = leap ? 18349 : 18320;
  const weight = salesWeight(dayOfYear(date), leap);
  return Math.floor((orders * weight + Math.floor((total * 5) / 2)) / (total * 5));
}

/** The day of the order at the cursor; days ascend with the orders. */
function catalogDate(context: TableContext): Draw {
  const orders = context.scale.rows("catalog_sales");
  let day = dataStart;
  let last = ordersOfDay(orders, day) + 1;
  return () => {
    while (context.cursor.row > last) {
      day++;
      last += ordersOfDay(orders, day);
    }
    return day;
  };
}

export function catalogSale(context: TableContext): RemoteSale {
  const soldDate = catalogDate(context);
  const bill = party(context, [78, 79, 80, 81]);
  return {
    ...saleOf(context, catalogSalesKind, soldDate),
    bill,
    ship: receiver(context, { bill, columns: [82, 83, 84, 85], cdemoDraws: 1, isGift: (percent) => percent <= 10 }),
    shipDate: shipDate(context, catalogSalesKind, { column: 77, daysMin: 2, daysMax: 90, soldDate }),
  };
}

/** A random page of a catalog that was valid on the day of the sale. */
export function catalogPageOf(context: TableContext, soldDate: Draw): Draw {
  const stream = lineStream(context, catalogSalesKind, 87, 3, 2);
  const weights = cumulativeWeights(catalogTypeWeights);
  const pages = pagesPerCatalog(context.scale.rows("catalog_page"));
  return perRow(context.cursor, () => {
    const draws = stream();
    const type = pick(weights, draws);
    const page = draws.uniform(1, pages);
    return catalogOfDay(soldDate(), type) * pages + page;
  });
}

/** 0-based number of a catalog for a day. dsdgen counts the catalogs of the type as if the other types had none before them. */
function catalogOfDay(day: number, type: number): number {
  const days = day - dataStart - 1;
  const dayOfCatalogYear = days % 365;
  const yearStart = Math.trunc(days / 365) * catalogsPerYear;
  switch (type) {
    case 0:
      return yearStart + (dayOfCatalogYear > 183 ? 1 : 0);
    case 1:
      return yearStart + Math.trunc(dayOfCatalogYear / 91);
    default:
      return yearStart + Math.trunc(dayOfCatalogYear / 31);
  }
}

export function callCenterOf(context: TableContext, soldDate: Draw): Draw {
  const stream = orderStream(context, 86);
  return perOrder(context.cursor, () => historyRow(context.scale, "call_center", stream(), soldDate()));
}

function partyCells(prefix: string, { customer, cdemo, hdemo, addr }: Party): Record<string, () => ReturnType<typeof number>> {
  return {
    [`${prefix}_customer_sk`]: () => number(customer),
    [`${prefix}_cdemo_sk`]: () => number(cdemo),
    [`${prefix}_hdemo_sk`]: () => number(hdemo),
    [`${prefix}_addr_sk`]: () => number(addr),
  };
}

function remoteAmounts(prefix: string): Readonly<Record<string, keyof SaleAmounts>> {
  return {
    [`${prefix}_quantity`]: "quantity",
    [`${prefix}_wholesale_cost`]: "wholesaleCost",
    [`${prefix}_list_price`]: "listPrice",
    [`${prefix}_sales_price`]: "salesPrice",
    [`${prefix}_ext_discount_amt`]: "extDiscount",
    [`${prefix}_ext_sales_price`]: "extSalesPrice",
    [`${prefix}_ext_wholesale_cost`]: "extWholesaleCost",
    [`${prefix}_ext_list_price`]: "extListPrice",
    [`${prefix}_ext_tax`]: "extTax",
    [`${prefix}_coupon_amt`]: "coupon",
    [`${prefix}_ext_ship_cost`]: "extShipCost",
    [`${prefix}_net_paid`]: "netPaid",
    [`${prefix}_net_paid_inc_tax`]: "netPaidIncTax",
    [`${prefix}_net_paid_inc_ship`]: "netPaidIncShip",
    [`${prefix}_net_paid_inc_ship_tax`]: "netPaidIncShipTax",
    [`${prefix}_net_profit`]: "netProfit",
  };
}

const remoteAmountColumns = `PRE_quantity i, PRE_wholesale_cost m7, PRE_list_price m7, PRE_sales_price m7, PRE_ext_discount_amt m7
PRE_ext_sales_price m7, PRE_ext_wholesale_cost m7, PRE_ext_list_price m7, PRE_ext_tax m7, PRE_coupon_amt m7, PRE_ext_ship_cost m7
PRE_net_paid m7, PRE_net_paid_inc_tax m7, PRE_net_paid_inc_ship m7, PRE_net_paid_inc_ship_tax m7, PRE_net_profit m7`;

export const catalogSales = salesTable("catalog_sales", catalogSalesKind, {
  columns: columnsOf(
    `cs_sold_date_sk k, cs_sold_time_sk k, cs_ship_date_sk k, cs_bill_customer_sk k, cs_bill_cdemo_sk k, cs_bill_hdemo_sk k
cs_bill_addr_sk k, cs_ship_customer_sk k, cs_ship_cdemo_sk k, cs_ship_hdemo_sk k, cs_ship_addr_sk k, cs_call_center_sk k
cs_catalog_page_sk k, cs_ship_mode_sk k, cs_warehouse_sk k, cs_item_sk k, cs_promo_sk k, cs_order_number k
${remoteAmountColumns.replaceAll("PRE", "cs")}`,
    {
      cs_coupon_amt: 22,
      cs_ext_sales_price: 23,
      cs_ext_discount_amt: 24,
      cs_ext_wholesale_cost: 25,
      cs_ext_list_price: 26,
      cs_ext_tax: 27,
    },
  ),
  key: keyWhenDistinct("cs_item_sk", "cs_order_number"),
  basisPoints: 100,
  notNull: 0x28000,
  cell: (context) => {
    const sale = catalogSale(context);
    return cellsByName({
      cs_sold_date_sk: () => number(sale.soldDate),
      cs_sold_time_sk: () => {
        const stream = orderStream(context, 76, 2);
        return number(perOrder(context.cursor, () => timeOfDay(remoteHours, stream())));
      },
      cs_ship_date_sk: () => number(sale.shipDate),
      ...partyCells("cs_bill", sale.bill),
      ...partyCells("cs_ship", sale.ship),
      cs_call_center_sk: () => number(callCenterOf(context, sale.soldDate)),
      cs_catalog_page_sk: () => number(catalogPageOf(context, sale.soldDate)),
      cs_ship_mode_sk: () => number(keyOfLine(context, catalogSalesKind, 88, "ship_mode")),
      cs_warehouse_sk: () => number(keyOfLine(context, catalogSalesKind, 89, "warehouse")),
      cs_item_sk: () => number(sale.item),
      cs_promo_sk: () => number(keyOfLine(context, catalogSalesKind, 91, "promotion")),
      cs_order_number: () => number(sale.order),
      ...amountCells(sale.amounts, remoteAmounts("cs")),
    });
  },
});

export const webSalesKind: SalesKind = {
  orders: "web_sales",
  lines: { column: 426, min: 8, max: 16 },
  linesDrawn: 16,
  pricing: 443,
  markupMax: 200,
  item: 412,
  permutation: 446,
  isReturned: 445,
  nulls: 444,
};

export function webSale(context: TableContext): RemoteSale {
  const dates = orderStream(context, 409, 2);
  const days = salesDays();
  const soldDate = perOrder(context.cursor, () => drawSalesDay(days, dates()));
  const bill = party(context, [413, 414, 415, 416]);
  return {
    ...saleOf(context, webSalesKind, soldDate),
    bill,
    ship: receiver(context, { bill, columns: [417, 418, 419, 420], cdemoDraws: 2, isGift: (percent) => percent > 7 }),
    shipDate: shipDate(context, webSalesKind, { column: 411, daysMin: 1, daysMax: 120, soldDate }),
  };
}

/** A page or site that was current on the day of the sale. */
function webKey(context: TableContext, column: number, options: { readonly table: "web_page" | "web_site"; readonly day: Draw }): Draw {
  const stream = lineStream(context, webSalesKind, column, 1);
  return perRow(context.cursor, () => historyRow(context.scale, options.table, stream(), options.day()));
}

export function webPageOf(context: TableContext, sale: Sale): Draw {
  return webKey(context, 421, { table: "web_page", day: sale.soldDate });
}

export const webSales = salesTable("web_sales", webSalesKind, {
  columns: columnsOf(
    `ws_sold_date_sk k, ws_sold_time_sk k, ws_ship_date_sk k, ws_item_sk k, ws_bill_customer_sk k, ws_bill_cdemo_sk k, ws_bill_hdemo_sk k
ws_bill_addr_sk k, ws_ship_customer_sk k, ws_ship_cdemo_sk k, ws_ship_hdemo_sk k, ws_ship_addr_sk k, ws_web_page_sk k, ws_web_site_sk k
ws_ship_mode_sk k, ws_warehouse_sk k, ws_promo_sk k, ws_order_number k
${remoteAmountColumns.replaceAll("PRE", "ws")}`,
  ),
  key: keyWhenDistinct("ws_item_sk", "ws_order_number"),
  basisPoints: 5,
  notNull: 0x20008,
  cell: (context) => {
    const sale = webSale(context);
    return cellsByName({
      ws_sold_date_sk: () => number(sale.soldDate),
      ws_sold_time_sk: () => {
        const stream = orderStream(context, 410, 2);
        return number(perOrder(context.cursor, () => timeOfDay(remoteHours, stream())));
      },
      ws_ship_date_sk: () => number(sale.shipDate),
      ws_item_sk: () => number(sale.item),
      ...partyCells("ws_bill", sale.bill),
      ...partyCells("ws_ship", sale.ship),
      ws_web_page_sk: () => number(webPageOf(context, sale)),
      ws_web_site_sk: () => number(webKey(context, 422, { table: "web_site", day: sale.soldDate })),
      ws_ship_mode_sk: () => number(keyOfLine(context, webSalesKind, 423, "ship_mode")),
      ws_warehouse_sk: () => number(keyOfLine(context, webSalesKind, 424, "warehouse")),
      ws_promo_sk: () => number(keyOfLine(context, webSalesKind, 425, "promotion")),
      ws_order_number: () => number(sale.order),
      ...amountCells(sale.amounts, remoteAmounts("ws")),
    });
  },
});
