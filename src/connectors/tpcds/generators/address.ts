/**
 * Addresses of dsdgen: seven draws of one stream.
 */
import { streetTypes } from "../data/lists.ts";
import type { Dictionaries } from "../dictionaries.ts";
import { pick, pickWord } from "../distributions.ts";
import type { Scale } from "../scale.ts";
import type { RowStream } from "../streams.ts";

export interface Address {
  readonly streetNumber: number;
  readonly firstStreetName: string;
  readonly secondStreetName: string;
  readonly streetType: string;
  readonly suiteNumber: string;
  readonly city: string;
  readonly county: string;
  readonly state: string;
  readonly zip: number;
  readonly gmtOffset: number;
}

export const country = "United States";

/**
 * `places`: number of rows of a small table, whose cities and counties are drawn from few; undefined for customers, whose addresses use all
 * of them.
 */
export function drawAddress(
  context: { readonly dictionaries: Dictionaries; readonly scale: Scale; readonly places: number | undefined },
  stream: RowStream,
): Address {
  const { dictionaries, scale, places } = context;
  const streetNumber = stream.uniform(1, 1000);
  const { names, first, second } = dictionaries.streets();
  const firstStreetName = names[pick(first, stream)] as string;
  const secondStreetName = names[pick(second, stream)] as string;
  const streetType = streetTypes[stream.uniform(1, streetTypes.length) - 1] as string;
  const suite = stream.uniform(1, 100);
  const half = suite >> 1;
  const suiteNumber = `Suite ${suite % 2 === 1 ? half * 10 : String.fromCharCode(65 + (half % 25))}`;
  const cities = dictionaries.cities();
  const counties = dictionaries.counties();
  const few = (name: "active_cities" | "active_counties"): number => stream.uniform(1, Math.min(scale.rows(name), places ?? 0)) - 1;
  const city = places === undefined ? pickWord(cities, stream) : (cities.words[few("active_cities")] as string);
  const county = counties[places === undefined ? stream.uniform(1, counties.length) - 1 : few("active_counties")];
  const { name, state, zipPrefix, gmtOffset } = county as (typeof counties)[number];
  const hash = cityHash(city);
  const zip = zipPrefix * 10000 + (zipPrefix === 0 && hash < 9400 ? hash + 600 : hash);
  return { streetNumber, firstStreetName, secondStreetName, streetType, suiteNumber, city, county: name, state, zip, gmtOffset };
}

export function fiveDigits(zip: number): string {
  return String(zip).padStart(5, "0");
}

/** Four digits, the same for all cities of the name. */
function cityHash(name: string): number {
  let hash = 0;
  let sum = 0;
  for (let i = 0; i < name.length; i++) {
    hash = (Math.imul(hash, 26) + name.charCodeAt(i) - 65) | 0;
    if (hash > 1_000_000) {
      hash %= 10_000;
      sum += hash;
      hash = 0;
    }
  }
  return (sum + (hash % 1000)) % 10_000;
}
