/**
 * call_center, store and web_site: places with history rows.
 */
import { type Address, drawAddress } from "./address.ts";
import { dataStart } from "../calendar.ts";
import { callCenterClasses, callCenterNames, openingHours, syllables } from "../data/lists.ts";
import { parsePairs, pick } from "../distributions.ts";
import { addressCells, type History, historyOf, keptDraws, type KeptPart, recordDates } from "./places.ts";
import type { Scale } from "../scale.ts";
import { RowStream } from "../streams.ts";
import {
  cellsByName,
  columnsOf,
  constantText,
  number,
  perRow,
  rowByRow,
  streamAt,
  type TableContext,
  text,
  type TpcdsTable,
  word,
} from "../table.ts";
import { businessKey, syllableName } from "../text.ts";

const hours = parsePairs(openingHours);

/** dsdgen's numbers of the tables. */
const callCenterNumber = 0;
const storeNumber = 49;
const webSiteNumber = 23;

/** The address of each row, drawn from few places. */
function placeAddress(
  context: TableContext,
  stream: { readonly column: number; readonly drawsPerRow: number },
  places: number,
): () => Address {
  const draws = new RowStream(stream.column, stream.drawsPerRow);
  return () => drawAddress({ ...context, places }, draws.at(context.cursor.row));
}

/** Bits of the address's numbers, relative to the bit of its city. Its words always belong to the row itself. */
const addressBits: Readonly<Record<KeptPart, number>> = { gmtOffset: 2, streetNumber: 7, zip: 8 };

/** Address columns of which a revision may keep parts. `firstBit` is the bit of the city. */
function keptAddressCells(
  { cursor }: TableContext,
  options: { readonly address: () => Address; readonly prefix: string; readonly history: History; readonly firstBit: number },
): ReturnType<typeof addressCells> {
  const address = perRow(cursor, options.address);
  return addressCells(address, options.prefix, (name) => options.history.kept(options.firstBit + addressBits[name], () => address()[name]));
}

function employeesMax(scale: Scale): number {
  const factor = Math.ceil(scale.factor);
  // Wraps like C's integers.
  return Math.imul(Math.imul(7, factor), factor);
}

export const callCenter: TpcdsTable = {
  name: "call_center",
  columns: columnsOf(
    `cc_call_center_sk k, cc_call_center_id c16, cc_rec_start_date d, cc_rec_end_date d, cc_closed_date_sk i, cc_open_date_sk i, cc_name v50
cc_class v50, cc_employees i, cc_sq_ft i, cc_hours c20, cc_manager v40, cc_mkt_id i, cc_mkt_class c50, cc_mkt_desc v100
cc_market_manager v40, cc_division i, cc_division_name v50, cc_company i, cc_company_name c50, cc_street_number c10, cc_street_name v60
cc_street_type c15, cc_suite_number c10, cc_city v60, cc_county v30, cc_state c2, cc_zip c10, cc_country v20, cc_gmt_offset m5
cc_tax_percentage m5`,
    { cc_tax_percentage: 31 },
  ),
  key: () => ["cc_call_center_sk"],
  nulls: { stream: 34, drawsPerRow: 2, basisPoints: 100, notNull: 0xb },
  rows: (scale) => scale.rows("call_center"),
  units: (scale) => scale.rows("call_center"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("call_center")),
  cell: (context) => {
    const { cursor, scale } = context;
    const history = historyOf(context, callCenterNumber, 33);
    const { begin, end } = recordDates(history);
    const kept = keptDraws(context, history);
    const employees = kept.number(1, 9, 1, employeesMax(scale));
    const companyStream = streamAt(cursor, 19, 2);
    const drawnCompany = perRow(cursor, () => {
      const draws = companyStream();
      // dsdgen draws the division from the stream of the company.
      return { company: draws.uniform(1, 6), division: draws.uniform(1, 6) };
    });
    const company = history.kept(9, () => drawnCompany().company);
    const division = history.kept(10, () => drawnCompany().division);
    const address = history.ofKey(placeAddress(context, { column: 31, drawsPerRow: 15 }, scale.rows("call_center")));
    return cellsByName({
      cc_call_center_sk: () => number(() => cursor.row),
      cc_call_center_id: () => text(() => businessKey(history.revision().keyRow)),
      cc_rec_start_date: begin,
      cc_rec_end_date: end,
      cc_closed_date_sk: () => number(() => undefined),
      cc_open_date_sk: () => {
        const stream = streamAt(cursor, 6, 10);
        return number(history.ofKey(() => dataStart - 23 - stream().uniform(-365, 0)));
      },
      cc_name: () =>
        text(
          history.ofKey(() => {
            const name = callCenterNames[cursor.row % callCenterNames.length] as string;
            const round = Math.floor(cursor.row / callCenterNames.length);
            return round === 0 ? name : `${name}_${round}`;
          }),
        ),
      cc_class: () => {
        const stream = streamAt(cursor, 8, 2);
        return word(callCenterClasses, () => stream().uniform(1, callCenterClasses.length) - 1);
      },
      cc_employees: () => number(employees),
      cc_sq_ft: () => {
        const stream = streamAt(cursor, 10);
        return number(history.kept(2, () => Math.imul(stream().uniform(100, 700), employees())));
      },
      cc_hours: () => {
        const stream = streamAt(cursor, 11);
        return word(hours.words, () => pick(hours.weights, stream()));
      },
      cc_manager: kept.manager(4, 12),
      cc_mkt_id: () => number(kept.number(5, 13, 1, 6)),
      cc_mkt_class: kept.text(6, 14, { draws: 50, min: 20, max: 50 }),
      cc_mkt_desc: kept.text(7, 15, { draws: 50, min: 20, max: 100 }),
      cc_market_manager: kept.manager(8, 16),
      cc_division: () => number(division),
      cc_division_name: () => text(history.kept(11, () => syllableName(syllables, division(), 50))),
      cc_company: () => number(company),
      cc_company_name: () => text(history.kept(12, () => syllableName(syllables, company(), 10))),
      ...addressCells(address, "cc"),
      cc_tax_percentage: () => number(kept.number(13, 32, 0, 12)),
    });
  },
};

/** Percentage of stores that are closed. */
const closedStores = 30;

export const store: TpcdsTable = {
  name: "store",
  columns: columnsOf(
    `s_store_sk k, s_store_id c16, s_rec_start_date d, s_rec_end_date d, s_closed_date_sk k, s_store_name v50, s_number_employees i
s_floor_space i, s_hours c20, s_manager v40, s_market_id i, s_geography_class v100, s_market_desc v100, s_market_manager v40
s_division_id i, s_division_name v50, s_company_id i, s_company_name v50, s_street_number v10, s_street_name v60, s_street_type c15
s_suite_number c10, s_city v60, s_county v30, s_state c2, s_zip c10, s_country v20, s_gmt_offset m5, s_tax_precentage m5`,
    {
      s_tax_precentage: 11,
      s_geography_class: 12,
      s_market_desc: 13,
      s_market_manager: 14,
      s_division_id: 15,
      s_division_name: 16,
      s_company_id: 17,
      s_company_name: 18,
      s_street_number: 19,
      s_street_name: 20,
      s_street_type: 21,
      s_suite_number: 22,
      s_city: 23,
      s_county: 24,
      s_state: 25,
      s_zip: 26,
      s_country: 27,
      s_gmt_offset: 28,
    },
  ),
  key: () => ["s_store_sk"],
  nulls: { stream: 288, drawsPerRow: 2, basisPoints: 100, notNull: 0xb },
  rows: (scale) => scale.rows("store"),
  units: (scale) => scale.rows("store"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("store")),
  cell: (context) => {
    const { cursor, scale } = context;
    const history = historyOf(context, storeNumber, 290);
    const { begin, end } = recordDates(history);
    const kept = keptDraws(context, history);
    return cellsByName({
      s_store_sk: () => number(() => cursor.row),
      s_store_id: () => text(() => businessKey(history.revision().keyRow)),
      s_rec_start_date: begin,
      s_rec_end_date: end,
      s_closed_date_sk: () => {
        const stream = streamAt(cursor, 263, 2);
        return number(
          history.kept(0, () => {
            const draws = stream();
            const isClosed = draws.uniform(1, 100) < closedStores;
            const closed = dataStart + draws.uniform(5, 500);
            return isClosed ? closed : undefined;
          }),
        );
      },
      s_store_name: () => text(history.kept(1, () => syllableName(syllables, cursor.row, 5))),
      s_number_employees: () => number(kept.number(2, 265, 200, 300)),
      s_floor_space: () => number(kept.number(3, 266, 5_000_000, 10_000_000)),
      s_hours: () => {
        const stream = streamAt(cursor, 267);
        return word(hours.words, () => pick(hours.weights, stream()));
      },
      s_manager: kept.manager(5, 268),
      s_market_id: () => number(kept.number(6, 269, 1, 10)),
      s_geography_class: () => constantText("Unknown"),
      s_market_desc: kept.text(9, 272, { draws: 100, min: 15, max: 100 }),
      s_market_manager: kept.manager(10, 273),
      s_division_id: () => number(() => 1),
      s_division_name: () => constantText("Unknown"),
      s_company_id: () => number(() => 1),
      s_company_name: () => constantText("Unknown"),
      ...keptAddressCells(context, {
        address: placeAddress(context, { column: 291, drawsPerRow: 7 }, scale.rows("store")),
        prefix: "s",
        history,
        firstBit: 15,
      }),
      s_tax_precentage: () => number(kept.number(7, 270, 0, 11)),
    });
  },
};

/** Days for which a site is open, per number of sites that are open at once. */
const siteDays = 1825;
/** Days between the openings of sites. */
const siteStagger = 17;

/** Opening day of the site or page with the key. */
export function siteOpened(scale: Scale, key: number): number {
  return dataStart - Math.floor(((key * siteStagger) % siteDuration(scale)) / 2);
}

function siteDuration(scale: Scale): number {
  return siteDays * scale.rows("concurrent_web_sites");
}

/** dsdgen counts back from the opening, so sites close before they open. */
function siteClosed(scale: Scale, key: number): number {
  const isReplaced = key % 2 === 0 && Math.floor(key / 2) % 2 === 0;
  const duration = siteDuration(scale);
  return siteOpened(scale, key) - duration + (isReplaced ? Math.floor(duration / 2) : 0);
}

export const webSite: TpcdsTable = {
  name: "web_site",
  columns: columnsOf(
    `web_site_sk k, web_site_id c16, web_rec_start_date d, web_rec_end_date d, web_name v50, web_open_date_sk k, web_close_date_sk k
web_class v50, web_manager v40, web_mkt_id i, web_mkt_class v50, web_mkt_desc v100, web_market_manager v40, web_company_id i
web_company_name c50, web_street_number c10, web_street_name v60, web_street_type c15, web_suite_number c10, web_city v60, web_county v30
web_state c2, web_zip c10, web_country v20, web_gmt_offset m5, web_tax_percentage m5`,
  ),
  key: () => ["web_site_sk"],
  nulls: { stream: 473, drawsPerRow: 2, basisPoints: 100, notNull: 0xb },
  rows: (scale) => scale.rows("web_site"),
  units: (scale) => scale.rows("web_site"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("web_site")),
  cell: (context) => {
    const { cursor, scale } = context;
    const history = historyOf(context, webSiteNumber, 475, 70);
    const { begin, end } = recordDates(history);
    const kept = keptDraws(context, history);
    const company = kept.number(5, 460, 1, 6);
    return cellsByName({
      web_site_sk: () => number(() => cursor.row),
      web_site_id: () => text(() => businessKey(history.revision().keyRow)),
      web_rec_start_date: begin,
      web_rec_end_date: end,
      web_name: () => text(history.ofKey(() => `site_${Math.floor(cursor.row / 6)}`)),
      web_open_date_sk: () => number(history.ofKey(() => siteOpened(scale, cursor.row))),
      web_close_date_sk: () =>
        number(
          history.ofKey(() => {
            const closed = siteClosed(scale, cursor.row);
            const recordEnd = history.revision().end;
            return recordEnd === undefined || closed > recordEnd ? undefined : closed;
          }),
        ),
      web_class: () => constantText("Unknown"),
      web_manager: kept.manager(0, 455),
      web_mkt_id: () => number(kept.number(1, 456, 1, 6)),
      web_mkt_class: kept.text(2, 457, { draws: 20, min: 20, max: 50 }),
      web_mkt_desc: kept.text(3, 458, { draws: 100, min: 20, max: 100 }),
      web_market_manager: kept.manager(4, 459),
      web_company_id: () => number(company),
      web_company_name: () => text(history.kept(6, () => syllableName(syllables, company(), 100))),
      ...keptAddressCells(context, {
        address: placeAddress(context, { column: 474, drawsPerRow: 7 }, scale.rows("web_site")),
        prefix: "web",
        history,
        firstBit: 7,
      }),
      web_tax_percentage: () => number(kept.number(16, 472, 0, 12)),
    });
  },
};
