import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, KeyDecoder } from "../../../../src/cli/editor/keys.ts";

function decoded(input: string): readonly string[] {
  const decoder = new KeyDecoder();
  return [...decoder.feed(input), ...decoder.flush()].map(({ name, text }) => (text === "" ? name : `${name}:${text}`));
}

describe("keys", () => {
  it.each([
    ["select", ["text:select"]],
    ["a\rb", ["text:a", "enter", "text:b"]],
    ["\u0001\u0012\t\u007f\u001f", ["ctrl-a", "ctrl-r", "tab", "backspace", "ctrl-_"]],
    ["\u001b[A\u001bOB\u001b[C\u001b[D", ["up", "down", "right", "left"]],
    ["\u001b[H\u001b[4~\u001bOF\u001b[3~\u001b[5~", ["home", "end", "end", "delete", "page-up"]],
    ["\u001b[1;5C\u001b[1;3D\u001b[1;2A\u001b[3;5~", ["ctrl-right", "alt-left", "shift-up", "ctrl-delete"]],
    ["\u001bb\u001bF\u001b\r\u001b\u007f\u001b<", ["alt-b", "alt-f", "alt-enter", "alt-backspace", "alt-<"]],
    ["\u001b[Z\u001b[13;2u\u001b[27;5;114~\u001b[97;5u", ["shift-tab", "shift-enter", "ctrl-r", "ctrl-a"]],
    ["\u001b", ["escape"]],
    ["\u001b\u001b[A", ["escape", "up"]],
    ["\u001b[200~a;\r\n\u001b[A b\u001b[201~c", ["paste:a;\r\n\u001b[A b", "text:c"]],
    ["\u001b[99;99X\u001b[1", ["unknown", "unknown"]],
    ["\u65e5\u672c\u{1f600}", ["text:\u65e5\u672c\u{1f600}"]],
  ])("%j is %j", (input, keys) => {
    expect(decoded(input)).toEqual(keys);
  });

  it("are the same wherever the input is cut", () => {
    const piece = fc.constantFrom(
      "a",
      "\u001b[A",
      "\u001b[1;5C",
      "\u001bOH",
      "\r",
      "\u001b[200~x\u001b[201~",
      "\u001bb",
      "\u0003",
      "\u00e9",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(4), { maxLength: 20 }), (pieces, cuts) => {
        const input = pieces.join("");
        const decoder = new KeyDecoder();
        const keys: Key[] = [];
        let at = 0;
        for (const cut of [...cuts, input.length]) {
          keys.push(...decoder.feed(input.slice(at, at + cut)));
          at += cut;
        }
        expect(joined(keys)).toEqual(joined(new KeyDecoder().feed(input)));
      }),
      { numRuns: 500 },
    );
  });

  it("never throws and never waits for ever", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (input) => {
        const decoder = new KeyDecoder();
        decoder.feed(input);
        decoder.feed("\u001b[201~");
        decoder.flush();
        expect(decoder.feed("x").at(-1)).toEqual({ name: "text", text: "x" });
      }),
      { numRuns: 500 },
    );
  });
});

/** Text may come in several keys. */
function joined(keys: readonly Key[]): readonly string[] {
  const result: string[] = [];
  for (const { name, text } of keys) {
    if (name === "text" && result.at(-1)?.startsWith("text:") === true) {
      result[result.length - 1] += text;
    } else {
      result.push(text === "" ? name : `${name}:${text}`);
    }
  }
  return result;
}
