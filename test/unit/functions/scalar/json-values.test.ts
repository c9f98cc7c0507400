/**
 * The engine's JSON reader against JSON.parse, which accepts the same grammar.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonDepthMax } from "../../../../src/protocol/json.ts";
import { formatJson, parseJson, parseJsonPath } from "../../../../src/functions/scalar/json/json-values.ts";

describe("JSON values", () => {
  it("are written so that JSON.parse reads the same values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const written = formatJson(parseJson(text) ?? null);
        expect(JSON.parse(written)).toEqual(JSON.parse(text.replace(/(^|[[,:])-0(?=[,\]}]|$)/g, "$10")));
        // Canonical text does not change when it is parsed and written again.
        expect(formatJson(parseJson(written) ?? null)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });

  it("are refused exactly where the runtime refuses them", () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\ \t\n0123456789.eE+-tfnabu'.split(""),
      "true",
      "false",
      "null",
      '"a"',
      "\\u00e9",
      "\u0001",
      "é",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect([text, parseJson(text) !== undefined]).toEqual([text, isJson]);
      }),
      { numRuns: 20_000 },
    );
  });

  it("are bounded in depth", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(jsonDepthMax))).toBeDefined();
    expect(parseJson(nested(jsonDepthMax + 2))).toBeUndefined();
    expect(parseJson('{"a":'.repeat(1_000_000))).toBeUndefined();
  });

  it("are reached by paths of names and places", () => {
    const paths: readonly (readonly [string, readonly string[] | undefined])[] = [
      ["$", []],
      ["$.a.b", ["a", "b"]],
      ["$[0][12]", ["0", "12"]],
      ['$["a b"].c', ["a b", "c"]],
      ['$["q\\"x\\\\"]', ['q"x\\']],
      ["$.a-b:c", ["a-b:c"]],
      ["$.größe", ["größe"]],
      ["", undefined],
      ["a", undefined],
      ["$a", undefined],
      ["$.", undefined],
      ["$..a", undefined],
      ["$.*", undefined],
      ["$[", undefined],
      ["$[]", undefined],
      ['$["a]', undefined],
      ["$.a b", undefined],
    ];
    for (const [path, steps] of paths) {
      expect([path, parseJsonPath(path)]).toEqual([path, steps]);
    }
  });
});
