/**
 * Regular expressions: results against JavaScript's on random small patterns, the differences of Java's syntax, and linear time for every
 * pattern.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Effort, Regexp } from "../../../../src/functions/scalar/regexp/match.ts";

function spans(pattern: string, text: string): readonly (readonly [number, number])[] {
  return [...new Regexp(pattern).matches(text)].map(({ start, end }) => [start, end] as const);
}

function groups(pattern: string, text: string): readonly (string | undefined)[] | undefined {
  const match = new Regexp(pattern).find(text);
  return match === undefined
    ? undefined
    : Array.from({ length: match.slots.length / 2 }, (_, group) => {
        const [start, end] = [match.slots[2 * group] as number, match.slots[2 * group + 1] as number];
        return start < 0 ? undefined : text.slice(start, end);
      });
}

/** A pattern and whether it matches the empty string. JavaScript ends empty iterations differently, so such patterns are not repeated. */
interface Drawn {
  readonly text: string;
  readonly nullable: boolean;
}

const atom: fc.Arbitrary<Drawn> = fc.oneof(
  ...[
    "a",
    "b",
    "c",
    "é",
    "😀",
    ".",
    "[ab]",
    "[^a]",
    "[a-c😀]",
    "\\w",
    "\\W",
    "\\d",
    "\\D",
    "\\s",
    "\\x61",
    "\\u00e9",
    "\\p{L}",
    "\\P{Lu}",
  ].map((text) => fc.constant({ text, nullable: false })),
  ...["^", "$", "\\b", "\\B", ""].map((text) => fc.constant({ text, nullable: true })),
);

const drawn: fc.Arbitrary<Drawn> = fc.letrec<{ pattern: Drawn }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => ({ text: a.text + b.text, nullable: a.nullable && b.nullable })),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => ({ text: `(?:${a.text}|${b.text})`, nullable: a.nullable || b.nullable })),
    tie("pattern").map(({ text, nullable }) => ({ text: `(${text})`, nullable })),
    fc
      .tuple(tie("pattern"), fc.constantFrom("?", "*", "+", "{2}", "{1,3}", "{2,}", "{0,2}"), fc.boolean())
      .map(([inner, quantifier, lazy]) =>
        inner.nullable
          ? inner
          : {
              text: `(?:${inner.text})${quantifier}${lazy ? "?" : ""}`,
              nullable: quantifier === "?" || quantifier === "*" || quantifier === "{0,2}",
            },
      ),
  ),
})).pattern;

const letters = fc
  .array(fc.constantFrom("a", "b", "c", "A", "1", "_", " ", "é", "É", "😀"), { maxLength: 12 })
  .map((points) => points.join(""));

function javascriptSpans(pattern: string, flags: string, text: string): readonly (readonly [number, number])[] {
  // V8 finds \B inside surrogate pairs, which is not a position in the text here.
  const isInside = (at: number) => /^[\udc00-\udfff]/.test(text.slice(at));
  return [...text.matchAll(new RegExp(pattern, `g${flags}`))]
    .map((match) => [match.index, match.index + match[0].length] as const)
    .filter(([start]) => !isInside(start));
}

describe("meaning", () => {
  it("is JavaScript's where the two agree", () => {
    fc.assert(
      fc.property(drawn, letters, ({ text: pattern }, text) => {
        const expected = javascriptSpans(pattern, "u", text);
        expect(spans(pattern, text)).toEqual(expected);
        expect(new Regexp(pattern).test(text)).toBe(expected.length > 0);
      }),
      { numRuns: 3000 },
    );
  });

  it("does not depend on the texts that a pattern has seen", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "_", "\n", "é"), { maxLength: 9 }).map((points) => points.join(""));
    fc.assert(
      fc.property(drawn, fc.boolean(), fc.array(lines, { minLength: 2, maxLength: 8 }), ({ text }, isMultiline, texts) => {
        const pattern = isMultiline ? `(?m)${text}` : text;
        const regexp = new Regexp(pattern);
        for (const one of texts) {
          expect([...regexp.matches(one)].map(({ start, end }) => [start, end])).toEqual(spans(pattern, one));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("knows the newline at the end of a text from others", () => {
    const regexp = new Regexp("a$\\n");
    for (const [text, found] of [
      ["a\nab", 0],
      ["a\n", 1],
      ["a\nab", 0],
    ] as const) {
      expect([...regexp.matches(text)]).toHaveLength(found);
    }
  });

  it("does not depend on how many sets of instructions its texts have", () => {
    // Which instructions reach a match depends on the next eight characters: more sets than are remembered.
    const pattern = "[ab]{8}a[ab]*c";
    const regexp = new Regexp(pattern);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b"), { maxLength: 40 }), (points) => {
        const text = `${points.join("")}c`;
        expect([...regexp.matches(text)].map(({ start, end }) => [start, end])).toEqual(javascriptSpans(pattern, "u", text));
      }),
      { numRuns: 500 },
    );
  });

  it("is JavaScript's across lines with (?m) and (?s)", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 10 }).map((points) => `${points.join("")}a`);
    fc.assert(
      fc.property(drawn, lines, fc.boolean(), ({ text: pattern }, text, dotAll) => {
        expect(spans(`(?m${dotAll ? "s" : ""})${pattern}`, text)).toEqual(javascriptSpans(pattern, dotAll ? "ums" : "um", text));
      }),
      { numRuns: 1500 },
    );
  });

  it("is JavaScript's without regard to case", () => {
    // JavaScript folds the case of complemented classes differently: [^a] with (?i) is compared separately below.
    const plain = drawn.filter(({ text }) => !/\[\^|\\[WDP]|\\b|\\B|\\w/i.test(text));
    fc.assert(
      fc.property(plain, letters, ({ text: pattern }, text) => {
        expect(spans(`(?i)${pattern}`, text)).toEqual(javascriptSpans(pattern, "ui", text));
      }),
      { numRuns: 1500 },
    );
  });

  it("gives the groups of the match that is preferred", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "(a)", "(b|ab)", "(a|ab)", "(a*)", "(b+?)", "(?:(a)|b)", "(.)?", "(c)??"), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 }),
        (parts, letters) => {
          const [pattern, text] = [parts.join(""), letters.join("")];
          expect(groups(pattern, text)).toEqual(new RegExp(pattern, "u").exec(text)?.slice());
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each<[pattern: string, text: string, expected: readonly string[]]>([
    ["(|a)*", "aa", ["", "", ""]],
    ["a*", "baac", ["", "aa", "", ""]],
    ["(?:a|b)*?c", "abcab", ["abc"]],
    ["[a-c&&[^b]]+", "abcca", ["a", "cca"]],
    ["[a-c[x-z]]+", "abxyd", ["abxy"]],
    ["[]a]+", "]a[", ["]a"]],
    ["[\\]\\-a]+", "a]-b", ["a]-"]],
    ["\\Qa.b\\E+", "a.bba.b", ["a.bb", "a.b"]],
    ["a$", "a\n", ["a"]],
    ["a\\z", "a\n", []],
    ["a\\Z", "a\n", ["a"]],
    ["(?m)^", "a\nb\n", ["", ""]],
    ["(?m)a$", "a\na", ["a", "a"]],
    ["(?s).+", "a\nb", ["a\nb"]],
    [".+", "a\nb", ["a", "b"]],
    ["(?i)straße", "STRAßE", ["STRAßE"]],
    ["(?i)[^a]", "aAb", ["b"]],
    ["(?i:a)b", "Ab AB", ["Ab"]],
    ["a(?i)b", "aB AB", ["aB"]],
    ["(?x) a b # a comment\n c", "abc", ["abc"]],
    ["\\p{Lu}\\p{IsAlphabetic}+\\pN", "xÄbc9", ["Äbc9"]],
    ["\\p{Greek}+", "abγδ", ["γδ"]],
    ["\\P{Punct}+", "ab!c", ["ab", "c"]],
    ["\\p{^L}", "a1", ["1"]],
    ["\\x{1F600}", "a😀", ["😀"]],
    ["\\01\\t\\cA", "\u0001\t\u0001", ["\u0001\t\u0001"]],
    ["a{2,3}", "aaaaa", ["aaa", "aa"]],
    ["a{2,3}?", "aaaaa", ["aa", "aa"]],
    ["(?<year>\\d{4})-(?<month>\\d\\d)", "on 2020-02", ["2020-02"]],
  ])("of %s in %j", (pattern, text, expected) => {
    expect(spans(pattern, text).map(([start, end]) => text.slice(start, end))).toEqual(expected);
    expect(new Regexp(pattern).test(text)).toBe(expected.length > 0);
  });
});

describe("errors", () => {
  it.each<[pattern: string, message: string]>([
    ["(", "end pattern with unmatched parenthesis"],
    [")", "unmatched close parenthesis"],
    ["*a", "target of repeat operator is not specified"],
    ["a**", "target of repeat operator is not specified"],
    ["[a", "premature end of char-class"],
    ["[b-a]", "empty range in char class"],
    ["a\\", "end pattern at escape"],
    ["a{3,2}", "invalid repeat range {lower,upper}"],
    ["a{100000}", "too big number"],
    ["(?:(?:a{100}){100})", "regular expression is too large"],
    ["\\p{Nonsense}", "invalid character property name {Nonsense}"],
    ["(?<a>x)(?<a>y)", "multiplex definition name <a>"],
    ["(?q)a", "undefined group option"],
    ["(?=a)", "lookaround is not supported in regular expressions"],
    ["(?<!a)", "lookaround is not supported in regular expressions"],
    ["(a)\\1", "backreferences are not supported in regular expressions"],
    ["(?>a)", "atomic groups are not supported in regular expressions"],
    ["a++", "possessive quantifiers are not supported in regular expressions"],
    ["\\y", "invalid escape \\y in regular expression"],
    ["(".repeat(500), "too deep nest level over"],
  ])("of %s", (pattern, message) => {
    expect(() => new Regexp(pattern)).toThrow(expect.objectContaining({ errorName: "INVALID_FUNCTION_ARGUMENT", message }));
  });

  it("are the only thing a pattern can throw", () => {
    const parts = fc.constantFrom(
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "*",
      "+",
      "?",
      "|",
      "\\",
      "^",
      "$",
      ".",
      "-",
      "&&",
      "a",
      "p{L}",
      "1",
      ",",
      "Q",
      "\\E",
      "(?",
      ":",
      "<n>",
      "i",
      "#",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), fc.constantFrom("", "a", "a1,(\n", "pL😀"), (pieces, text) => {
        try {
          expect([...new Regexp(pieces.join("")).matches(text)].length).toBeLessThanOrEqual(text.length + 1);
        } catch (error) {
          expect(error).toMatchObject({ errorName: "INVALID_FUNCTION_ARGUMENT" });
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe("effort", () => {
  const hostile: readonly (readonly [pattern: string, unit: string, tail: string])[] = [
    ["(a+)+$", "a", "b"],
    ["(a|a)*b", "a", ""],
    ["(a*)*c", "a", "b"],
    ["(?:a?){30}a{30}", "a", ""],
    ["(.*)(.*)(.*)(.*)x", "a", ""],
    ["a*b|a", "a", ""],
    ["(?:.*?,){11}P", "1,", ""],
    ["\\w+\\s*=\\s*\\w+$", "a ", "!"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""],
    ["(x+x+)+y", "x", ""],
  ];

  function stepsOf(pattern: string, text: string, act: (regexp: Regexp, text: string, effort: Effort) => void): number {
    const effort = { steps: 0 };
    act(new Regexp(pattern), text, effort);
    return effort.steps;
  }

  it.each(hostile)("of %s grows with the text and no faster", (pattern, unit, tail) => {
    for (const act of [
      (regexp: Regexp, text: string, effort: Effort) => void regexp.test(text, effort),
      (regexp: Regexp, text: string, effort: Effort) => void regexp.find(text, 0, effort),
      (regexp: Regexp, text: string, effort: Effort) => void [...regexp.matches(text, 0, effort)],
    ]) {
      // The text is four times as long, and each block may be computed twice if there are many: at most eight times the steps. Quadratic
      // time would take sixteen.
      const [short, long] = [4000, 16_000].map((count) => stepsOf(pattern, unit.repeat(count) + tail, act)) as [number, number];
      expect(long).toBeLessThanOrEqual(8.5 * short);
      const instructions = new Regexp(pattern).program.instructions.length;
      expect(long).toBeLessThanOrEqual(12 * instructions * (16_000 * unit.length + 2));
    }
  });

  it("is the same whether a text lies in one block or in many", () => {
    const pattern = "(?:a|ab|😀)(b{2,40}|c?)";
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "😀"), { minLength: 3000, maxLength: 9000 }), (points) => {
        const text = points.join("");
        expect(spans(pattern, text)).toEqual(javascriptSpans(pattern, "u", text));
      }),
      { numRuns: 10 },
    );
  });
});
