/** Random streams over seedrandom; a production node seeds them from the operating system. */
import { randomBytes } from "node:crypto";
import type { Random } from "../ports/random.ts";
import { SeededRandom } from "./seeded-random.ts";

export function realRandom(): Random {
  return new SeededRandom(randomBytes(32).toString("hex"));
}
