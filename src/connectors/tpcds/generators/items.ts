/**
 * item and web_page: tables with history rows.
 */
import { dataStart, today } from "../calendar.ts";
import {
  brandSyllables,
  categories,
  colorGroups,
  managerRanges,
  manufacturerRanges,
  priceRanges,
  rangeWeights,
  sizes,
  sizeWeights,
  units,
} from "../data/items.ts";
import { syllables, webPageTypes } from "../data/lists.ts";
import { cumulativeWeights, pick, pickWord, type WeightedWords } from "../distributions.ts";
import { historyOf, keptDraws, recordDates } from "./places.ts";
import { siteOpened } from "./places-tables.ts";
import type { RowStream } from "../streams.ts";
import { cellsByName, columnsOf, constantText, flag, number, perRow, rowByRow, streamAt, text, type TpcdsTable, word } from "../table.ts";
import { businessKey, characters, sentences, syllableName } from "../text.ts";

const itemNumber = 11;
const webPageNumber = 20;
/** Rows of the revisions of three keys. */
const rowsPerGroup = 6;

const rangeFrequencies = cumulativeWeights(rangeWeights);

/** A random number from a random range. */
function fromRanges(ranges: readonly (readonly [number, number])[], stream: RowStream): number {
  const [low, high] = ranges[pick(rangeFrequencies, stream)] as readonly [number, number];
  return stream.uniform(low, high);
}

const colorLists = colorGroups.map(({ weight, colors }) => ({ weight, words: colors.split(" ") }));
const colors: WeightedWords = {
  words: colorLists.flatMap(({ words }) => words),
  weights: cumulativeWeights(colorLists.flatMap(({ weight, words }) => words.map(() => weight))),
};

/** Digits with a color among them. */
function formulation(stream: RowStream): string {
  const digits = characters(stream, { min: 20, max: 20 }, "digits");
  const color = pickWord(colors, stream);
  const at = stream.uniform(0, digits.length - color.length - 1);
  return digits.slice(0, at) + color + digits.slice(at + color.length);
}

export const item: TpcdsTable = {
  name: "item",
  columns: columnsOf(
    `i_item_sk k, i_item_id c16, i_rec_start_date d, i_rec_end_date d, i_item_desc v200, i_current_price m7, i_wholesale_cost m7
i_brand_id i, i_brand c50, i_class_id i, i_class c50, i_category_id i, i_category c50, i_manufact_id i, i_manufact c50, i_size c20
i_formulation c20, i_color c20, i_units c10, i_container c10, i_manager_id i, i_product_name c50`,
  ),
  key: () => ["i_item_sk"],
  nulls: { stream: 225, drawsPerRow: 2, basisPoints: 50, notNull: 0xb },
  rows: (scale) => scale.rows("item"),
  units: (scale) => Math.ceil(scale.rows("item") / rowsPerGroup),
  rowsPerUnit: rowsPerGroup,
  advance: rowByRow((scale) => scale.rows("item"), rowsPerGroup),
  cell: (context) => {
    const { cursor, dictionaries } = context;
    const history = historyOf(context, itemNumber, 226);
    const { begin, end } = recordDates(history);
    const priceStream = streamAt(cursor, 208, 2);
    const price = perRow(cursor, () => fromRanges(priceRanges, priceStream()));
    const categoryStream = streamAt(cursor, 215);
    const category = perRow(cursor, () => categoryStream().uniform(1, categories.length));
    const hierarchy = (): (typeof categories)[number] => categories[category() - 1] as (typeof categories)[number];
    const classStream = streamAt(cursor, 213);
    const itemClass = perRow(cursor, () => classStream().uniform(1, hierarchy().classes.length));
    const brand = (): number => (cursor.row % hierarchy().brandsPerClass) + 1;
    const manufacturerStream = streamAt(cursor, 216, 2);
    const manufacturer = history.kept(6, () => fromRanges(manufacturerRanges, manufacturerStream()));
    return cellsByName({
      i_item_sk: () => number(() => cursor.row),
      i_item_id: () => text(() => businessKey(history.revision().keyRow)),
      i_rec_start_date: begin,
      i_rec_end_date: end,
      i_item_desc: () => {
        const stream = streamAt(cursor, 207, 200);
        return text(history.kept(0, () => sentences(dictionaries, stream(), { min: 1, max: 200 })));
      },
      i_current_price: () => number(price),
      i_wholesale_cost: () => {
        const stream = streamAt(cursor, 209);
        return number(history.kept(2, () => Math.floor((price() * stream().uniform(30, 90)) / 100)));
      },
      i_brand_id: () => number(history.kept(4, () => brand() + (category() * 1000 + itemClass()) * 1000)),
      i_brand: () => text(() => `${syllableName(brandSyllables, category() * 10 + itemClass(), 45)} #${brand()}`),
      i_class_id: () => number(history.kept(3, itemClass)),
      i_class: () => text(() => hierarchy().classes[itemClass() - 1]),
      i_category_id: () => number(category),
      i_category: () => {
        const names = categories.map(({ name }) => name);
        return word(names, () => category() - 1);
      },
      i_manufact_id: () => number(manufacturer),
      i_manufact: () => text(history.kept(7, () => syllableName(syllables, manufacturer(), 50))),
      i_size: () => {
        const stream = streamAt(cursor, 218);
        const weights = sizeWeights.map(cumulativeWeights);
        return word(sizes, () => pick(weights[hierarchy().hasSizes ? 1 : 0] as Float64Array, stream()));
      },
      i_formulation: () => {
        const stream = streamAt(cursor, 219, 50);
        return text(history.kept(8, () => formulation(stream())));
      },
      i_color: () => {
        const stream = streamAt(cursor, 220);
        return word(colors.words, () => pick(colors.weights, stream()));
      },
      i_units: () => {
        const stream = streamAt(cursor, 221);
        return word(units, () => pick(cumulativeWeights(units.map(() => 400)), stream()));
      },
      i_container: () => constantText("Unknown"),
      i_manager_id: () => {
        const stream = streamAt(cursor, 223, 2);
        return number(() => fromRanges(managerRanges, stream()));
      },
      i_product_name: () => text(() => syllableName(syllables, cursor.row, 50)),
    });
  },
};

export const webPage: TpcdsTable = {
  name: "web_page",
  columns: columnsOf(
    `wp_web_page_sk k, wp_web_page_id c16, wp_rec_start_date d, wp_rec_end_date d, wp_creation_date_sk k, wp_access_date_sk k
wp_autogen_flag c1, wp_customer_sk k, wp_url v100, wp_type c50, wp_char_count i, wp_link_count i, wp_image_count i, wp_max_ad_count i`,
  ),
  key: () => ["wp_web_page_sk"],
  nulls: { stream: 381, drawsPerRow: 2, basisPoints: 250, notNull: 0xb },
  rows: (scale) => scale.rows("web_page"),
  units: (scale) => scale.rows("web_page"),
  isSequential: true,
  advance: rowByRow((scale) => scale.rows("web_page")),
  cell: (context) => {
    const { cursor, scale } = context;
    const history = historyOf(context, webPageNumber, 382);
    const { begin, end } = recordDates(history);
    const kept = keptDraws(context, history);
    const autogenStream = streamAt(cursor, 373);
    const isGenerated = history.kept(2, () => autogenStream().uniform(0, 99) < 30);
    const links = kept.number(6, 378, 2, 25);
    const images = kept.number(7, 379, 1, 7);
    return cellsByName({
      wp_web_page_sk: () => number(() => cursor.row),
      wp_web_page_id: () => text(() => businessKey(history.revision().keyRow)),
      wp_rec_start_date: begin,
      wp_rec_end_date: end,
      wp_creation_date_sk: () => {
        const stream = streamAt(cursor, 371, 2);
        return number(
          history.kept(0, () => {
            const draws = stream();
            // dsdgen draws a year here and ignores it.
            draws.next();
            return draws.uniform(siteOpened(scale, Math.floor(cursor.row / 123) + 1), dataStart);
          }),
        );
      },
      wp_access_date_sk: () => {
        const stream = streamAt(cursor, 372);
        return number(history.kept(1, () => today - stream().uniform(0, 100)));
      },
      wp_autogen_flag: () => flag(isGenerated),
      wp_customer_sk: () => {
        const customer = kept.number(3, 374, 1, scale.rows("customer"));
        return number(() => {
          const drawn = customer();
          return isGenerated() ? drawn : undefined;
        });
      },
      wp_url: () => constantText("http://www.foo.com"),
      wp_type: () => {
        const stream = streamAt(cursor, 376);
        return word(webPageTypes, () => stream().uniform(1, webPageTypes.length) - 1);
      },
      wp_char_count: () => {
        const stream = streamAt(cursor, 377);
        return number(history.kept(9, () => stream().uniform(links() * 125 + images() * 50, links() * 300 + images() * 150)));
      },
      wp_link_count: () => number(links),
      wp_image_count: () => number(images),
      wp_max_ad_count: () => number(kept.number(8, 380, 0, 4)),
    });
  },
};
