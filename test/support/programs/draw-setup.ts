/** Setup of every test file: properties draw by the seed of `npm test` (draws.ts), and at random where a file is run alone. */
import fc from "fast-check";

const seed = process.env["TEST_SEED"];
if (seed !== undefined) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}
