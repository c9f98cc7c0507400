/** Words of the generators, in English. */

function words(text: string): readonly string[] {
  return Object.freeze(text.trim().split(/\s*,\s*/));
}

export const lorem = words(
  `lorem, ipsum, dolor, sit, amet, consectetur, adipiscing, elit, sed, do, eiusmod, tempor, incididunt, ut, labore, et, dolore,
  magna, aliqua, enim, ad, minim, veniam, quis, nostrud, exercitation, ullamco, laboris, nisi, aliquip, ex, ea, commodo,
  consequat, duis, aute, irure, in, reprehenderit, voluptate, velit, esse, cillum, eu, fugiat, nulla, pariatur, excepteur, sint,
  occaecat, cupidatat, non, proident, sunt, culpa, qui, officia, deserunt, mollit, anim, id, est, laborum`,
);

export const firstNames = words(
  `Ada, Alan, Alice, Amir, Anna, Ben, Carla, Carlos, Chen, Clara, Daniel, David, Diana, Elena, Emma, Erik, Fatima, Felix, Grace,
  Hannah, Hugo, Ines, Ivan, Jack, Jana, Julia, Karim, Kate, Lars, Laura, Leo, Lily, Lucas, Maria, Mark, Mia, Nadia, Nina, Noah,
  Olga, Omar, Oscar, Paula, Peter, Rosa, Sam, Sara, Tom, Vera, Victor, Yuki, Zoe`,
);

export const lastNames = words(
  `Adams, Baker, Becker, Brown, Carter, Chen, Clark, Cruz, Davis, Diaz, Evans, Fischer, Garcia, Green, Gupta, Hall, Harris, Hill,
  Ivanov, Jones, Kaya, Keller, Khan, Kim, King, Lee, Lewis, Lopez, Martin, Meyer, Miller, Moore, Morris, Nakamura, Nguyen, Novak,
  Olsen, Parker, Patel, Perez, Roberts, Rossi, Schmidt, Silva, Singh, Smith, Taylor, Turner, Walker, Weber, White, Wilson, Wright,
  Young`,
);

export const cities = words(
  `Amsterdam, Athens, Berlin, Boston, Cairo, Chicago, Dakar, Delhi, Denver, Dublin, Geneva, Hanoi, Helsinki, Istanbul, Kyoto,
  Lagos, Lima, Lisbon, London, Lyon, Madrid, Milan, Montreal, Mumbai, Nairobi, Oslo, Paris, Prague, Quito, Riga, Rome, Seattle,
  Seoul, Sydney, Tallinn, Tokyo, Toronto, Vienna, Warsaw, Zurich`,
);

export const countries: readonly (readonly [code: string, name: string, currency: string])[] = Object.freeze([
  ["AR", "Argentina", "ARS"],
  ["AU", "Australia", "AUD"],
  ["BR", "Brazil", "BRL"],
  ["CA", "Canada", "CAD"],
  ["CH", "Switzerland", "CHF"],
  ["CN", "China", "CNY"],
  ["DE", "Germany", "EUR"],
  ["EG", "Egypt", "EGP"],
  ["FR", "France", "EUR"],
  ["GB", "United Kingdom", "GBP"],
  ["IN", "India", "INR"],
  ["IT", "Italy", "EUR"],
  ["JP", "Japan", "JPY"],
  ["KE", "Kenya", "KES"],
  ["KR", "South Korea", "KRW"],
  ["MX", "Mexico", "MXN"],
  ["NG", "Nigeria", "NGN"],
  ["NO", "Norway", "NOK"],
  ["PL", "Poland", "PLN"],
  ["SE", "Sweden", "SEK"],
  ["TR", "Turkey", "TRY"],
  ["US", "United States", "USD"],
  ["VN", "Vietnam", "VND"],
  ["ZA", "South Africa", "ZAR"],
]);

export const states = words(
  `California, Colorado, Florida, Georgia, Hawaii, Maine, Nevada, New York, Ohio, Oregon, Texas, Utah, Virginia, Washington`,
);
export const streets = words(
  `Bridge, Castle, Cedar, Church, Elm, Forest, Garden, Harbor, High, Hill, Lake, Maple, Market, Mill, Oak, Park, River, School,
  Station`,
);
export const streetKinds = words(`Street, Avenue, Road, Lane, Drive, Way, Court`);
export const companyKinds = words(`Inc, LLC, Group, and Sons, Partners, Labs, Works`);
export const industries = words(`Software, Banking, Insurance, Logistics, Energy, Farming, Media, Medicine, Retail, Travel`);
export const jobs = words(
  `Analyst, Architect, Baker, Carpenter, Chemist, Doctor, Editor, Engineer, Farmer, Lawyer, Nurse, Pilot, Teacher, Writer`,
);
export const colors = words(
  `amber, black, blue, brown, cyan, gold, green, grey, indigo, lime, magenta, maroon, navy, olive, orange, pink, purple, red,
  silver, teal, white, yellow`,
);
export const materials = words(`Cotton, Concrete, Copper, Glass, Granite, Leather, Linen, Plastic, Rubber, Silk, Steel, Wooden, Wool`);
export const products = words(
  `Bag, Ball, Bench, Bottle, Chair, Clock, Coat, Gloves, Hat, Keyboard, Knife, Lamp, Pants, Plate, Shirt, Shoes, Table, Wallet,
  Watch`,
);
export const domains = words(`example.com, example.net, example.org`);
