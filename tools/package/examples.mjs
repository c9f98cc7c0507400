/**
 * Leaves the examples of functions out of a bundle: documentation and tests read them from the sources, and programs never. They are in
 * each program that has the engine.
 */
import { readFileSync } from "node:fs";

/** A member of a literal that is a line of its own, or lines of its own, as the formatter writes them. */
const example = /^( *)example: \{(?: sql: .* |\n(?:\1 .*\n)+\1)\},$/gm;

export const withoutExamples = {
  name: "without-examples",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/]functions[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(example, ""),
      loader: "ts",
    }));
  },
};
