/** customer and customer_address. */
import { dateOfJulianDay, julianDay, today } from "../calendar.ts";
import { countries, locationTypes, salutationWeights, salutations, topDomains } from "../data/lists.ts";
import { cumulativeWeights, pick } from "../distributions.ts";
import { addressCells, addressOf } from "./places.ts";
import { cellsByName, columnsOf, flag, number, perRow, rowByRow, streamAt, text, type TpcdsTable, word } from "../table.ts";
import { businessKey, characters } from "../text.ts";

const reviewDays = 365;
const salesDays = 3650;
/** Days from the first sale to the first delivery. */
const shippingDays = 30;

export const customer: TpcdsTable = {
  name: "customer",
  columns: columnsOf(
    `c_customer_sk k, c_customer_id c16, c_current_cdemo_sk k, c_current_hdemo_sk k, c_current_addr_sk k, c_first_shipto_date_sk k
c_first_sales_date_sk k, c_salutation c10, c_first_name c20, c_last_name c30, c_preferred_cust_flag c1, c_birth_day i, c_birth_month i
c_birth_year i, c_birth_country v20, c_login c13, c_email_address c50, c_last_review_date_sk k`,
  ),
  key: () => ["c_customer_sk"],
  nulls: { stream: 132, drawsPerRow: 2, basisPoints: 700, notNull: 0x13 },
  rows: (scale) => scale.rows("customer"),
  units: (scale) => scale.rows("customer"),
  advance: rowByRow((scale) => scale.rows("customer")),
  cell: ({ cursor, scale, dictionaries }) => {
    const keyOf = (column: number, rows: number) => (): ReturnType<typeof number> => {
      const stream = streamAt(cursor, column);
      return number(() => stream().uniform(1, rows));
    };
    const names = dictionaries.firstNames;
    const lastNames = dictionaries.lastNames;
    const [firstStream, lastStream, titleStream] = [streamAt(cursor, 122), streamAt(cursor, 123), streamAt(cursor, 121)];
    const firstName = perRow(cursor, () => pick(names().general, firstStream()));
    const lastName = perRow(cursor, () => pick(lastNames().weights, lastStream()));
    const maleTitles = cumulativeWeights(salutationWeights.male);
    const femaleTitles = cumulativeWeights(salutationWeights.female);
    const birthStream = streamAt(cursor, 125);
    const [firstBirth, lastBirth] = [julianDay({ year: 1924, month: 1, day: 1 }), julianDay({ year: 1992, month: 12, day: 31 })];
    const birth = perRow(cursor, () => dateOfJulianDay(birthStream().uniform(firstBirth, lastBirth)));
    const salesStream = streamAt(cursor, 120);
    const firstSale = perRow(cursor, () => salesStream().uniform(today - salesDays, today));
    return cellsByName({
      c_customer_sk: () => number(() => cursor.row),
      c_customer_id: () => text(() => businessKey(cursor.row)),
      c_current_cdemo_sk: keyOf(116, scale.rows("customer_demographics")),
      c_current_hdemo_sk: keyOf(117, scale.rows("household_demographics")),
      c_current_addr_sk: keyOf(118, scale.rows("customer_address")),
      c_first_shipto_date_sk: () => number(() => firstSale() + shippingDays),
      c_first_sales_date_sk: () => number(firstSale),
      c_salutation: () => word(salutations, () => pick(names().isMale[firstName()] === true ? maleTitles : femaleTitles, titleStream())),
      c_first_name: () => word(names().names, firstName),
      c_last_name: () => word(lastNames().words, lastName),
      c_preferred_cust_flag: () => {
        const stream = streamAt(cursor, 124, 2);
        return flag(() => stream().uniform(1, 100) < 50);
      },
      c_birth_day: () => number(() => birth().day),
      c_birth_month: () => number(() => birth().month),
      c_birth_year: () => number(() => birth().year),
      c_birth_country: () => {
        const stream = streamAt(cursor, 128);
        return word(countries, () => stream().uniform(1, countries.length) - 1);
      },
      c_login: () => text(() => undefined),
      c_email_address: () => {
        const stream = streamAt(cursor, 130, 23);
        return text(() => {
          const draws = stream();
          const domain = topDomains[draws.uniform(1, topDomains.length) - 1] as string;
          const length = draws.uniform(10, 20);
          const company = characters(draws, { min: 1, max: 20 }, "letters").slice(0, length);
          return `${names().names[firstName()] as string}.${lastNames().words[lastName()] as string}@${company}.${domain}`;
        });
      },
      c_last_review_date_sk: () => {
        const stream = streamAt(cursor, 131);
        return number(() => stream().uniform(today - reviewDays, today));
      },
    });
  },
};

const locationWeights = [1, 1, 1];

export const customerAddress: TpcdsTable = {
  name: "customer_address",
  columns: columnsOf(
    `ca_address_sk k, ca_address_id c16, ca_street_number c10, ca_street_name v60, ca_street_type c15, ca_suite_number c10, ca_city v60
ca_county v30, ca_state c2, ca_zip c10, ca_country v20, ca_gmt_offset m5, ca_location_type c20`,
  ),
  key: () => ["ca_address_sk"],
  nulls: { stream: 146, drawsPerRow: 2, basisPoints: 600, notNull: 0x3 },
  rows: (scale) => scale.rows("customer_address"),
  units: (scale) => scale.rows("customer_address"),
  advance: rowByRow((scale) => scale.rows("customer_address")),
  cell: (context) => {
    const { cursor } = context;
    return cellsByName({
      ca_address_sk: () => number(() => cursor.row),
      ca_address_id: () => text(() => businessKey(cursor.row)),
      ...addressCells(addressOf(context, { column: 147, drawsPerRow: 7 }, undefined), "ca"),
      ca_location_type: () => {
        const stream = streamAt(cursor, 145);
        const weights = cumulativeWeights(locationWeights);
        return word(locationTypes, () => pick(weights, stream()));
      },
    });
  },
};
