/** Every operator alone, on random pages in random cuts, against a naive evaluation; `npm run fuzz -- operators` is the long run. */
import { expect, it } from "vitest";
import { allKinds, checkKind } from "./program.ts";

const casesPerKind = 8;

it.each(allKinds)("%s", async (kind) => {
  for (let number = 0; number < casesPerKind; number++) {
    expect(await checkKind(kind, 1, number), `seed 1, case ${number}`).toBeUndefined();
  }
});
