/**
 * Amounts of a sale and of its return, in hundredths. Percentages of amounts are truncated to hundredths, in dsdgen's order.
 */
import type { RowStream } from "../streams.ts";

/** Number of draws of a sale and of a return. */
export const saleDraws = 8;
export const returnDraws = 5;

/** Percentage of sales that use their coupon. */
const couponUsage = 20;

export interface SaleAmounts {
  readonly quantity: number;
  readonly wholesaleCost: number;
  readonly listPrice: number;
  readonly salesPrice: number;
  readonly coupon: number;
  readonly extSalesPrice: number;
  readonly extDiscount: number;
  readonly extWholesaleCost: number;
  readonly extListPrice: number;
  readonly extTax: number;
  readonly extShipCost: number;
  readonly netPaid: number;
  readonly netPaidIncTax: number;
  readonly netPaidIncShip: number;
  readonly netPaidIncShipTax: number;
  readonly netProfit: number;
  /** Percentage of the price. */
  readonly taxPercent: number;
}

function share(amount: number, percent: number): number {
  return Math.floor((amount * percent) / 100);
}

/** `markupMax` is a percentage of the wholesale cost. */
export function saleAmounts(stream: RowStream, markupMax: number): SaleAmounts {
  const quantity = stream.uniform(1, 100);
  const wholesaleCost = stream.uniform(100, 10_000);
  const listPrice = share(wholesaleCost, 100 + stream.uniform(0, markupMax));
  const salesPrice = share(listPrice, 100 - stream.uniform(0, 100));
  const couponPercent = stream.uniform(0, 100);
  const isCouponUsed = stream.uniform(1, 100) <= couponUsage;
  const shippingPercent = stream.uniform(0, 50);
  const taxPercent = stream.uniform(0, 9);
  const extSalesPrice = salesPrice * quantity;
  const extListPrice = listPrice * quantity;
  const extWholesaleCost = wholesaleCost * quantity;
  const coupon = isCouponUsed ? share(extSalesPrice, couponPercent) : 0;
  const netPaid = extSalesPrice - coupon;
  const extShipCost = share(listPrice, shippingPercent) * quantity;
  const extTax = share(netPaid, taxPercent);
  return {
    quantity,
    wholesaleCost,
    listPrice,
    salesPrice,
    coupon,
    extSalesPrice,
    extDiscount: extListPrice - extSalesPrice,
    extWholesaleCost,
    extListPrice,
    extTax,
    extShipCost,
    netPaid,
    netPaidIncTax: netPaid + extTax,
    netPaidIncShip: netPaid + extShipCost,
    netPaidIncShipTax: netPaid + extShipCost + extTax,
    netProfit: netPaid - extWholesaleCost,
    taxPercent,
  };
}

export interface ReturnAmounts {
  readonly quantity: number;
  readonly amount: number;
  readonly tax: number;
  readonly amountIncTax: number;
  readonly fee: number;
  readonly shipCost: number;
  readonly refundedCash: number;
  readonly reversedCharge: number;
  readonly credit: number;
  readonly netLoss: number;
}

export function returnAmounts(stream: RowStream, sale: SaleAmounts): ReturnAmounts {
  const quantity = stream.uniform(1, sale.quantity);
  const shippingPercent = stream.uniform(0, 50);
  const cashPercent = stream.uniform(0, 100);
  const chargePercent = stream.uniform(1, 100);
  const fee = stream.uniform(50, 10_000);
  const amount = sale.salesPrice * quantity;
  const tax = share(amount, sale.taxPercent);
  const shipCost = share(sale.listPrice, shippingPercent) * quantity;
  const refundedCash = share(amount, cashPercent);
  const reversedCharge = share(amount - refundedCash, chargePercent);
  const credit = amount - refundedCash - reversedCharge;
  return {
    quantity,
    amount,
    tax,
    amountIncTax: amount + tax,
    fee,
    shipCost,
    refundedCash,
    reversedCharge,
    credit,
    // Refunds cancel against the amount paid; dsdgen includes the amount itself.
    netLoss: amount + shipCost + tax - credit - refundedCash - reversedCharge + fee,
  };
}
