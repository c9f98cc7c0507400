/**
 * Tables whose rows are all combinations of short lists: customer_demographics, household_demographics, income_band, ship_mode, reason.
 */
import {
  buyPotentials,
  creditRatings,
  educations,
  genders,
  maritalStatuses,
  returnReasons,
  shipModeCarriers,
  shipModeCodes,
  shipModeTypes,
  vehicleCounts,
} from "../data/lists.ts";
import { type Cell, cellsByName, columnsOf, type Cursor, number, rowByRow, streamAt, text, type TpcdsTable, word } from "../table.ts";
import { businessKey, characters } from "../text.ts";

/** Index of a row's value in a list whose values change every `stride` rows. */
function member(cursor: Cursor, stride: number, count: number): () => number {
  return () => Math.floor((cursor.row - 1) / stride) % count;
}

function memberWord(cursor: Cursor, stride: number, words: readonly string[]): () => Cell {
  return () => word(words, member(cursor, stride, words.length));
}

const dependents = 7;
const purchaseBands = 20;

export const customerDemographics: TpcdsTable = {
  name: "customer_demographics",
  columns: columnsOf(
    `cd_demo_sk k, cd_gender c1, cd_marital_status c1, cd_education_status c20, cd_purchase_estimate i, cd_credit_rating c10, cd_dep_count i
cd_dep_employed_count i, cd_dep_college_count i`,
  ),
  key: () => ["cd_demo_sk"],
  rows: (scale) => scale.rows("customer_demographics"),
  units: (scale) => scale.rows("customer_demographics"),
  advance: rowByRow((scale) => scale.rows("customer_demographics")),
  cell: ({ cursor }) => {
    const purchase = 2 * 5 * 7;
    const credit = purchase * purchaseBands;
    const people = credit * creditRatings.length;
    return cellsByName({
      cd_demo_sk: () => number(() => cursor.row),
      cd_gender: memberWord(cursor, 1, genders),
      cd_marital_status: memberWord(cursor, 2, maritalStatuses),
      cd_education_status: memberWord(cursor, 10, educations),
      cd_purchase_estimate: () => {
        const band = member(cursor, purchase, purchaseBands);
        return number(() => (band() + 1) * 500);
      },
      cd_credit_rating: memberWord(cursor, credit, creditRatings),
      cd_dep_count: () => number(member(cursor, people, dependents)),
      cd_dep_employed_count: () => number(member(cursor, people * dependents, dependents)),
      cd_dep_college_count: () => number(member(cursor, people * dependents * dependents, dependents)),
    });
  },
};

const incomeBands = 20;

export const householdDemographics: TpcdsTable = {
  name: "household_demographics",
  columns: columnsOf("hd_demo_sk k, hd_income_band_sk k, hd_buy_potential c15, hd_dep_count i, hd_vehicle_count i"),
  key: () => ["hd_demo_sk"],
  rows: (scale) => scale.rows("household_demographics"),
  units: (scale) => scale.rows("household_demographics"),
  advance: rowByRow((scale) => scale.rows("household_demographics")),
  cell: ({ cursor }) =>
    cellsByName({
      hd_demo_sk: () => number(() => cursor.row),
      // As in dsdgen, the band is computed from the key and the other columns from quotients of the key.
      hd_income_band_sk: () => number(() => (cursor.row % incomeBands) + 1),
      hd_buy_potential: () => word(buyPotentials, () => Math.floor(cursor.row / 20) % buyPotentials.length),
      hd_dep_count: () => number(() => Math.floor(cursor.row / 120) % 10),
      hd_vehicle_count: () => number(() => vehicleCounts[Math.floor(cursor.row / 1200) % vehicleCounts.length]),
    }),
};

export const incomeBand: TpcdsTable = {
  name: "income_band",
  columns: columnsOf("ib_income_band_sk k, ib_lower_bound i, ib_upper_bound i"),
  key: () => ["ib_income_band_sk"],
  rows: (scale) => scale.rows("income_band"),
  units: (scale) => scale.rows("income_band"),
  advance: rowByRow((scale) => scale.rows("income_band")),
  cell: ({ cursor }) =>
    cellsByName({
      ib_income_band_sk: () => number(() => cursor.row),
      ib_lower_bound: () => number(() => (cursor.row === 1 ? 0 : (cursor.row - 1) * 10_000 + 1)),
      ib_upper_bound: () => number(() => cursor.row * 10_000),
    }),
};

export const shipMode: TpcdsTable = {
  name: "ship_mode",
  columns: columnsOf("sm_ship_mode_sk k, sm_ship_mode_id c16, sm_type c30, sm_code c10, sm_carrier c20, sm_contract c20"),
  key: () => ["sm_ship_mode_sk"],
  rows: (scale) => scale.rows("ship_mode"),
  units: (scale) => scale.rows("ship_mode"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("ship_mode")),
  cell: ({ cursor }) =>
    cellsByName({
      sm_ship_mode_sk: () => number(() => cursor.row),
      sm_ship_mode_id: () => text(() => businessKey(cursor.row)),
      sm_type: () => word(shipModeTypes, () => cursor.row % shipModeTypes.length),
      sm_code: () => word(shipModeCodes, () => Math.floor(cursor.row / shipModeTypes.length) % shipModeCodes.length),
      sm_carrier: () => word(shipModeCarriers, () => (cursor.row - 1) % shipModeCarriers.length),
      sm_contract: () => {
        const stream = streamAt(cursor, 256, 21);
        return text(() => characters(stream(), { min: 1, max: 20 }, "letters"));
      },
    }),
};

export const reason: TpcdsTable = {
  name: "reason",
  columns: columnsOf("r_reason_sk k, r_reason_id c16, r_reason_desc c100"),
  key: () => ["r_reason_sk"],
  rows: (scale) => scale.rows("reason"),
  units: (scale) => scale.rows("reason"),
  advance: rowByRow((scale) => scale.rows("reason")),
  cell: ({ cursor }) =>
    cellsByName({
      r_reason_sk: () => number(() => cursor.row),
      r_reason_id: () => text(() => businessKey(cursor.row)),
      r_reason_desc: () => word(returnReasons, () => cursor.row - 1),
    }),
};
