/**
 * The lists of values of items.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */

export interface Category {
  readonly name: string;
  readonly classes: readonly string[];
  /** Number of brands in each of its classes. */
  readonly brandsPerClass: number;
  readonly hasSizes: boolean;
}

function category(name: string, options: { readonly brands: number; readonly sizes?: boolean; readonly classes: string }): Category {
  return { name, classes: options.classes.split("|"), brandsPerClass: options.brands, hasSizes: options.sizes === true };
}

export const categories: readonly Category[] = [
  category("Women", { brands: 2, sizes: true, classes: "dresses|fragrances|maternity|swimwear" }),
  category("Men", { brands: 2, sizes: true, classes: "accessories|shirts|pants|sports-apparel" }),
  category("Children", { brands: 2, sizes: true, classes: "newborn|infants|toddlers|school-uniforms" }),
  category("Shoes", { brands: 2, sizes: true, classes: "womens|mens|kids|athletic" }),
  category("Music", { brands: 2, classes: "rock|country|pop|classical" }),
  category("Jewelry", {
    brands: 8,
    classes:
      "birdal|diamonds|gold|bracelets|earings|rings|pendants|mens watch|womens watch|jewelry boxes|semi-precious|costume|" +
      "loose stones|estate|custom|consignment",
  }),
  category("Home", {
    brands: 10,
    classes:
      "bathroom|bedding|kids|curtains/drapes|blinds/shades|rugs|decor|lighting|mattresses|flatware|accent|paint|wallpaper|" +
      "glassware|tables|furniture",
  }),
  category("Sports", {
    brands: 10,
    classes:
      "athletic shoes|baseball|basketball|camping|fitness|football|hockey|outdoor|optics|pools|archery|guns|sailing|tennis|" +
      "fishing|golf",
  }),
  category("Books", {
    brands: 12,
    classes:
      "arts|business|computers|entertainments|history|parenting|reference|romance|science|travel|cooking|home repair|" +
      "self-help|sports|fiction|mystery",
  }),
  category("Electronics", {
    brands: 17,
    classes:
      "cameras|camcorders|dvd/vcr players|audio|karoke|musical|personal|scanners|televisions|memory|disk drives|monitors|" +
      "stereo|automotive|portable|wireless",
  }),
];

export const brandSyllables: readonly string[] = "univ|amalg|importo|exporti|edu pack|scholar|corp|brand|nameless|maxi".split("|");

export const sizes: readonly string[] = "petite|small|medium|large|extra large|economy|N/A".split("|");
/** For categories without and with sizes. */
export const sizeWeights: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0, 1],
  [17, 17, 35, 22, 17, 5, 4],
];

export const units: readonly string[] =
  "Unknown|Each|Dozen|Case|Pallet|Gross|Carton|Box|Bunch|Bundle|Oz|Lb|Ton|Ounce|Pound|Tsp|Tbl|Cup|Dram|Gram|N/A".split("|");

/** Low, medium and high, with the frequencies of the ranges. */
export const rangeWeights: readonly number[] = [60, 30, 10];
/** In hundredths. */
export const priceRanges: readonly (readonly [number, number])[] = [
  [9, 499],
  [500, 999],
  [1000, 9999],
];
export const managerRanges: readonly (readonly [number, number])[] = [
  [1, 33],
  [34, 66],
  [67, 100],
];
export const manufacturerRanges: readonly (readonly [number, number])[] = [
  [1, 333],
  [334, 666],
  [667, 1000],
];

/** Colors with low, medium and high frequency. */
export const colorGroups: readonly { readonly weight: number; readonly colors: string }[] = [
  {
    weight: 1,
    colors:
      "almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood burnished chartreuse chiffon " +
      "chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick floral forest frosted",
  },
  {
    weight: 3,
    colors:
      "gainsboro ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn lemon light lime linen magenta " +
      "maroon medium metallic midnight mint misty moccasin navajo navy olive orange orchid",
  },
  {
    weight: 9,
    colors:
      "pale papaya peach peru pink plum powder puff purple red rose rosy royal saddle salmon sandy seashell sienna sky slate " +
      "smoke snow spring steel tan thistle tomato turquoise violet wheat white yellow",
  },
];
