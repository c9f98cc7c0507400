/** promotion, catalog_page and warehouse. */
import { dataStart, rowOfKey } from "../calendar.ts";
import { catalogTypes, syllables } from "../data/lists.ts";
import { addressCells, addressOf } from "./places.ts";
import { cellsByName, columnsOf, constantText, flag, number, perRow, rowByRow, streamAt, text, type TpcdsTable, word } from "../table.ts";
import { businessKey, sentences, syllableName } from "../text.ts";

export const promotion: TpcdsTable = {
  name: "promotion",
  columns: columnsOf(
    `p_promo_sk k, p_promo_id c16, p_start_date_sk k, p_end_date_sk k, p_item_sk k, p_cost m15, p_response_target i, p_promo_name c50
p_channel_dmail c1, p_channel_email c1, p_channel_catalog c1, p_channel_tv c1, p_channel_radio c1, p_channel_press c1, p_channel_event c1
p_channel_demo c1, p_channel_details v100, p_purpose c15, p_discount_active c1`,
  ),
  key: () => ["p_promo_sk"],
  nulls: { stream: 247, drawsPerRow: 2, basisPoints: 200, notNull: 0x3 },
  rows: (scale) => scale.rows("promotion"),
  units: (scale) => scale.rows("promotion"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("promotion")),
  cell: ({ cursor, scale, dictionaries }) => {
    const startStream = streamAt(cursor, 230);
    const start = perRow(cursor, () => dataStart + startStream().uniform(-720, 100));
    const never = (): ReturnType<typeof flag> => flag(() => false);
    return cellsByName({
      p_promo_sk: () => number(() => cursor.row),
      p_promo_id: () => text(() => businessKey(cursor.row)),
      p_start_date_sk: () => number(start),
      p_end_date_sk: () => {
        const stream = streamAt(cursor, 231);
        return number(() => start() + stream().uniform(1, 60));
      },
      p_item_sk: () => {
        const stream = streamAt(cursor, 232);
        const rows = scale.rows("item");
        return number(() => rowOfKey({ key: stream().uniform(1, scale.keys("item")), day: 1, rows }));
      },
      p_cost: () => number(() => 100_000),
      p_response_target: () => number(() => 1),
      p_promo_name: () => text(() => syllableName(syllables, cursor.row, 5)),
      p_channel_dmail: () => {
        const stream = streamAt(cursor, 236);
        return flag(() => stream().uniform(0, 511) % 2 === 1);
      },
      p_channel_email: never,
      p_channel_catalog: never,
      p_channel_tv: never,
      p_channel_radio: never,
      p_channel_press: never,
      p_channel_event: never,
      p_channel_demo: never,
      p_channel_details: () => {
        const stream = streamAt(cursor, 244, 100);
        return text(() => sentences(dictionaries, stream(), { min: 20, max: 60 }));
      },
      p_purpose: () => constantText("Unknown"),
      p_discount_active: never,
    });
  },
};

/** Catalogs per year: two bi-annual, four quarterly, twelve monthly. */
export const catalogsPerYear = 18;
/** Number of years with catalogs. */
const catalogYears = 6;

export function pagesPerCatalog(pages: number): number {
  return Math.floor(Math.floor(pages / catalogsPerYear) / catalogYears);
}

interface CatalogInterval {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

function intervalOfCatalog(catalog: number): CatalogInterval {
  const place = (catalog - 1) % catalogsPerYear;
  const [type, days, offset] = place < 2 ? [0, 182, place] : place < 6 ? [1, 91, place - 2] : [2, 30, place - 6];
  const start = dataStart + offset * days + Math.floor((catalog - 1) / catalogsPerYear) * 365;
  return { type, start, end: start + days - 1 };
}

export const catalogPage: TpcdsTable = {
  name: "catalog_page",
  columns: columnsOf(
    `cp_catalog_page_sk k, cp_catalog_page_id c16, cp_start_date_sk k, cp_end_date_sk k, cp_department v50, cp_catalog_number i
cp_catalog_page_number i, cp_description v100, cp_type v100`,
    { cp_department: 5, cp_catalog_number: 6, cp_catalog_page_number: 7, cp_description: 8, cp_type: 9 },
  ),
  key: () => ["cp_catalog_page_sk"],
  nulls: { stream: 45, drawsPerRow: 2, basisPoints: 200, notNull: 0x3 },
  rows: (scale) => scale.rows("catalog_page"),
  units: (scale) => scale.rows("catalog_page"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("catalog_page")),
  cell: ({ cursor, scale, dictionaries }) => {
    const pages = pagesPerCatalog(scale.rows("catalog_page"));
    const catalog = (): number => Math.floor((cursor.row - 1) / pages) + 1;
    const interval = perRow(cursor, () => intervalOfCatalog(catalog()));
    return cellsByName({
      cp_catalog_page_sk: () => number(() => cursor.row),
      cp_catalog_page_id: () => text(() => businessKey(cursor.row)),
      cp_start_date_sk: () => number(() => interval().start),
      cp_end_date_sk: () => number(() => interval().end),
      cp_department: () => constantText("DEPARTMENT"),
      cp_catalog_number: () => number(catalog),
      cp_catalog_page_number: () => number(() => ((cursor.row - 1) % pages) + 1),
      cp_description: () => {
        const stream = streamAt(cursor, 43, 100);
        return text(() => sentences(dictionaries, stream(), { min: 50, max: 99 }));
      },
      cp_type: () => word(catalogTypes, () => interval().type),
    });
  },
};

export const warehouse: TpcdsTable = {
  name: "warehouse",
  columns: columnsOf(
    `w_warehouse_sk k, w_warehouse_id c16, w_warehouse_name v20, w_warehouse_sq_ft i, w_street_number c10, w_street_name v60
w_street_type c15, w_suite_number c10, w_city v60, w_county v30, w_state c2, w_zip c10, w_country v20, w_gmt_offset m5`,
  ),
  key: () => ["w_warehouse_sk"],
  nulls: { stream: 365, drawsPerRow: 2, basisPoints: 200, notNull: 0x3 },
  rows: (scale) => scale.rows("warehouse"),
  units: (scale) => scale.rows("warehouse"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("warehouse")),
  cell: (context) => {
    const { cursor, scale, dictionaries } = context;
    return cellsByName({
      w_warehouse_sk: () => number(() => cursor.row),
      w_warehouse_id: () => text(() => businessKey(cursor.row)),
      w_warehouse_name: () => {
        const stream = streamAt(cursor, 353, 80);
        return text(() => sentences(dictionaries, stream(), { min: 10, max: 20 }));
      },
      w_warehouse_sq_ft: () => {
        const stream = streamAt(cursor, 354);
        return number(() => stream().uniform(50_000, 1_000_000));
      },
      ...addressCells(addressOf(context, { column: 366, drawsPerRow: 7 }, scale.rows("warehouse")), "w"),
    });
  },
};
