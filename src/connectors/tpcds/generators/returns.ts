/**
 * store_returns, catalog_returns and web_returns: the lines of orders that were returned. Their draws advance with each returned line of an
 * order.
 */
import { salesYears } from "../calendar.ts";
import { type ReturnAmounts, returnAmounts, returnDraws } from "./pricing.ts";
import { type Draw, historyRow, remoteHours, type Sale, type SalesKind, lineByLine, linesEstimate, timeOfDay } from "./sales.ts";
import {
  callCenterOf,
  catalogPageOf,
  catalogSale,
  catalogSalesKind,
  keyWhenDistinct,
  storeSale,
  storeSalesKind,
  webPageOf,
  webSale,
  webSalesKind,
} from "./sales-tables.ts";
import type { Sized } from "../scale.ts";
import { RowStream } from "../streams.ts";
import { type Cell, cellsByName, columnsOf, number, perRow, type TableContext, type TpcdsTable } from "../table.ts";

/** A stream with a fixed number of draws per returned line. */
function returnStream(context: TableContext, kind: SalesKind, column: number, drawsPerLine = 1, drawnPerLine = drawsPerLine) {
  const stream = new RowStream(column, kind.linesDrawn * drawsPerLine);
  const { cursor } = context;
  return (): RowStream => stream.at(cursor.row, cursor.returned * drawnPerLine);
}

function keyOfReturn(context: TableContext, kind: SalesKind, column: number, table: Sized): Draw {
  const stream = returnStream(context, kind, column);
  const rows = context.scale.rows(table);
  return perRow(context.cursor, () => stream().uniform(1, rows));
}

/** Days after the sale or delivery, drawn between twice `daysMin` and twice `daysMax`, which are the bounds of a delivery. */
function returnDate(
  context: TableContext,
  kind: SalesKind,
  options: { readonly column: number; readonly from: Draw; readonly daysMin: number; readonly daysMax: number },
): Draw {
  const stream = returnStream(context, kind, options.column, 2);
  return () => {
    const draws = stream();
    // dsdgen draws a year here and ignores it.
    draws.uniform(salesYears.first, salesYears.last);
    return options.from() + draws.uniform(options.daysMin * 2, options.daysMax * 2);
  };
}

function amountsOf(context: TableContext, sale: Sale, pricing: number): () => ReturnAmounts {
  const stream = returnStream(context, sale.kind, pricing, returnDraws);
  return perRow(context.cursor, () => returnAmounts(stream(), sale.amounts()));
}

/** The money columns of a return, in order. `amounts` maps columns whose names differ. */
function amountCells(amounts: () => ReturnAmounts, columns: Readonly<Record<string, keyof ReturnAmounts>>): Record<string, () => Cell> {
  return Object.fromEntries(Object.entries(columns).map(([name, field]) => [name, () => number(() => amounts()[field])]));
}

/** Mean percentage of lines that are returned. */
const returnedPercent = 10;

function returnsTable(
  name: string,
  kind: SalesKind,
  rest: {
    readonly nulls: number;
    readonly basisPoints: number;
    readonly notNull: number;
  } & Pick<TpcdsTable, "columns" | "key" | "cell">,
): TpcdsTable {
  return {
    name,
    columns: rest.columns,
    key: rest.key,
    nulls: { stream: rest.nulls, drawsPerRow: kind.linesDrawn * 2, basisPoints: rest.basisPoints, notNull: rest.notNull },
    rows: (scale) => Math.max(1, Math.round((linesEstimate(kind, scale.rows(kind.orders)) * returnedPercent) / 100)),
    units: (scale) => scale.rows(kind.orders),
    rowsPerUnit: kind.lines.max,
    advance: lineByLine(kind, true),
    nullDraw: ({ returned }) => returned * 2,
    cell: rest.cell,
  };
}

/** Percentage of store returns by the customer who bought the item. */
const sameCustomer = 80;

export const storeReturns = returnsTable("store_returns", storeSalesKind, {
  columns: columnsOf(
    `sr_returned_date_sk k, sr_return_time_sk k, sr_item_sk k, sr_customer_sk k, sr_cdemo_sk k, sr_hdemo_sk k, sr_addr_sk k, sr_store_sk k
sr_reason_sk k, sr_ticket_number k, sr_return_quantity i, sr_return_amt m7, sr_return_tax m7, sr_return_amt_inc_tax m7, sr_fee m7
sr_return_ship_cost m7, sr_refunded_cash m7, sr_reversed_charge m7, sr_store_credit m7, sr_net_loss m7`,
  ),
  key: keyWhenDistinct("sr_item_sk", "sr_ticket_number"),
  nulls: 313,
  basisPoints: 700,
  notNull: 0x204,
  cell: (context) => {
    const kind = storeSalesKind;
    const sale = storeSale(context);
    const key = (column: number, table: Sized) => (): Cell => number(keyOfReturn(context, kind, column, table));
    return cellsByName({
      sr_returned_date_sk: () => number(returnDate(context, kind, { column: 292, from: sale.soldDate, daysMin: 2, daysMax: 90 })),
      sr_return_time_sk: () => {
        const stream = returnStream(context, kind, 293, 2, 1);
        return number(() => stream().uniform(28_799, 61_199));
      },
      sr_item_sk: () => number(sale.item),
      sr_customer_sk: () => {
        const customer = keyOfReturn(context, kind, 295, "customer");
        const stream = returnStream(context, kind, 301);
        return number(() => (stream().uniform(1, 100) < sameCustomer ? sale.customer() : customer()));
      },
      sr_cdemo_sk: key(296, "customer_demographics"),
      sr_hdemo_sk: key(297, "household_demographics"),
      sr_addr_sk: key(298, "customer_address"),
      sr_store_sk: () => {
        const stream = returnStream(context, kind, 299);
        return number(() => historyRow(context.scale, "store", stream(), 1));
      },
      sr_reason_sk: key(300, "reason"),
      sr_ticket_number: () => number(sale.order),
      ...amountCells(amountsOf(context, sale, 312), {
        sr_return_quantity: "quantity",
        sr_return_amt: "amount",
        sr_return_tax: "tax",
        sr_return_amt_inc_tax: "amountIncTax",
        sr_fee: "fee",
        sr_return_ship_cost: "shipCost",
        sr_refunded_cash: "refundedCash",
        sr_reversed_charge: "reversedCharge",
        sr_store_credit: "credit",
        sr_net_loss: "netLoss",
      }),
    });
  },
});

/** Percentage of catalog returns by the receiver of a gift. */
const sentByReceiver = 10;

export const catalogReturns = returnsTable("catalog_returns", catalogSalesKind, {
  columns: columnsOf(
    `cr_returned_date_sk k, cr_returned_time_sk k, cr_item_sk k, cr_refunded_customer_sk k, cr_refunded_cdemo_sk k, cr_refunded_hdemo_sk k
cr_refunded_addr_sk k, cr_returning_customer_sk k, cr_returning_cdemo_sk k, cr_returning_hdemo_sk k, cr_returning_addr_sk k
cr_call_center_sk k, cr_catalog_page_sk k, cr_ship_mode_sk k, cr_warehouse_sk k, cr_reason_sk k, cr_order_number k, cr_return_quantity i
cr_return_amount m7, cr_return_tax m7, cr_return_amt_inc_tax m7, cr_fee m7, cr_return_ship_cost m7, cr_refunded_cash m7
cr_reversed_charge m7, cr_store_credit m7, cr_net_loss m7`,
  ),
  key: keyWhenDistinct("cr_item_sk", "cr_order_number"),
  nulls: 73,
  basisPoints: 400,
  notNull: 0x10007,
  cell: (context) => {
    const kind = catalogSalesKind;
    const sale = catalogSale(context);
    const { ship } = sale;
    const key = (column: number, table: Sized) => (): Cell => number(keyOfReturn(context, kind, column, table));
    const customers = context.scale.rows("customer");
    const customerStream = returnStream(context, kind, 53, 2);
    const returning = perRow(context.cursor, () => {
      const draws = customerStream();
      const customer = draws.uniform(1, customers);
      return draws.uniform(0, 99) < sentByReceiver ? undefined : customer;
    });
    const returningKey = (column: number, table: Sized, received: Draw) => (): Cell => {
      const own = keyOfReturn(context, kind, column, table);
      return number(() => (returning() === undefined ? received() : own()));
    };
    return cellsByName({
      cr_returned_date_sk: () => number(returnDate(context, kind, { column: 46, from: sale.shipDate, daysMin: 2, daysMax: 90 })),
      cr_returned_time_sk: () => {
        const stream = returnStream(context, kind, 47, 2);
        return number(() => timeOfDay(remoteHours, stream()));
      },
      cr_item_sk: () => number(sale.item),
      cr_refunded_customer_sk: () => number(sale.bill.customer),
      cr_refunded_cdemo_sk: () => number(sale.bill.cdemo),
      cr_refunded_hdemo_sk: () => number(sale.bill.hdemo),
      cr_refunded_addr_sk: () => number(sale.bill.addr),
      cr_returning_customer_sk: () => number(() => returning() ?? ship.customer()),
      cr_returning_cdemo_sk: returningKey(54, "customer_demographics", ship.cdemo),
      cr_returning_hdemo_sk: key(55, "household_demographics"),
      cr_returning_addr_sk: returningKey(56, "customer_address", ship.addr),
      cr_call_center_sk: () => number(callCenterOf(context, sale.soldDate)),
      cr_catalog_page_sk: () => number(catalogPageOf(context, sale.soldDate)),
      cr_ship_mode_sk: key(59, "ship_mode"),
      cr_warehouse_sk: key(60, "warehouse"),
      cr_reason_sk: key(61, "reason"),
      cr_order_number: () => number(sale.order),
      ...amountCells(amountsOf(context, sale, 74), {
        cr_return_quantity: "quantity",
        cr_return_amount: "amount",
        cr_return_tax: "tax",
        cr_return_amt_inc_tax: "amountIncTax",
        cr_fee: "fee",
        cr_return_ship_cost: "shipCost",
        cr_refunded_cash: "refundedCash",
        cr_reversed_charge: "reversedCharge",
        cr_store_credit: "credit",
        cr_net_loss: "netLoss",
      }),
    });
  },
});

/** Percentage of web returns by the receiver of the order. */
const webSentByReceiver = 7;

export const webReturns = returnsTable("web_returns", webSalesKind, {
  columns: columnsOf(
    `wr_returned_date_sk k, wr_returned_time_sk k, wr_item_sk k, wr_refunded_customer_sk k, wr_refunded_cdemo_sk k, wr_refunded_hdemo_sk k
wr_refunded_addr_sk k, wr_returning_customer_sk k, wr_returning_cdemo_sk k, wr_returning_hdemo_sk k, wr_returning_addr_sk k
wr_web_page_sk k, wr_reason_sk k, wr_order_number k, wr_return_quantity i, wr_return_amt m7, wr_return_tax m7, wr_return_amt_inc_tax m7
wr_fee m7, wr_return_ship_cost m7, wr_refunded_cash m7, wr_reversed_charge m7, wr_account_credit m7, wr_net_loss m7`,
  ),
  key: keyWhenDistinct("wr_item_sk", "wr_order_number"),
  nulls: 408,
  basisPoints: 900,
  notNull: 0x2004,
  cell: (context) => {
    const kind = webSalesKind;
    const sale = webSale(context);
    const { ship } = sale;
    const key = (column: number, table: Sized) => (): Cell => number(keyOfReturn(context, kind, column, table));
    const senderStream = returnStream(context, kind, 390);
    const isReceiver = perRow(context.cursor, () => senderStream().uniform(0, 99) < webSentByReceiver);
    const sender = (column: number, table: Sized, received: Draw) => (): Cell => {
      const own = keyOfReturn(context, kind, column, table);
      return number(() => (isReceiver() ? received() : own()));
    };
    const customer = sender(386, "customer", ship.customer);
    const cdemo = sender(387, "customer_demographics", ship.cdemo);
    const hdemo = sender(388, "household_demographics", ship.hdemo);
    const addr = sender(389, "customer_address", ship.addr);
    return cellsByName({
      wr_returned_date_sk: () => number(returnDate(context, kind, { column: 383, from: sale.shipDate, daysMin: 1, daysMax: 120 })),
      wr_returned_time_sk: () => {
        const stream = returnStream(context, kind, 384, 2);
        return number(() => timeOfDay(remoteHours, stream()));
      },
      wr_item_sk: () => number(sale.item),
      wr_refunded_customer_sk: customer,
      wr_refunded_cdemo_sk: cdemo,
      wr_refunded_hdemo_sk: hdemo,
      wr_refunded_addr_sk: addr,
      wr_returning_customer_sk: customer,
      wr_returning_cdemo_sk: cdemo,
      wr_returning_hdemo_sk: hdemo,
      wr_returning_addr_sk: addr,
      wr_web_page_sk: () => number(webPageOf(context, sale)),
      wr_reason_sk: key(395, "reason"),
      wr_order_number: () => number(sale.order),
      ...amountCells(amountsOf(context, sale, 407), {
        wr_return_quantity: "quantity",
        wr_return_amt: "amount",
        wr_return_tax: "tax",
        wr_return_amt_inc_tax: "amountIncTax",
        wr_fee: "fee",
        wr_return_ship_cost: "shipCost",
        wr_refunded_cash: "refundedCash",
        wr_reversed_charge: "reversedCharge",
        wr_account_credit: "credit",
        wr_net_loss: "netLoss",
      }),
    });
  },
});
