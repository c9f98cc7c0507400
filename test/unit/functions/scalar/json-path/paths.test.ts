/**
 * The JSON path language: accessors and filters against a model, and limits.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathError } from "../../../../../src/functions/scalar/json/path/errors.ts";
import { PathEvaluator } from "../../../../../src/functions/scalar/json/path/evaluate.ts";
import { inputError } from "../../../../../src/functions/scalar/json/path/errors.ts";
import { JsonReader, textOfItem } from "../../../../../src/functions/scalar/json/path/json-text.ts";
import { parsePath, PathSyntaxError } from "../../../../../src/functions/scalar/json/path/parse.ts";
import { formatJson, type JsonValue, parseJson } from "../../../../../src/functions/scalar/json/json-values.ts";

function evaluate(path: string, document: string): readonly string[] | string {
  try {
    return new PathEvaluator(parsePath(path)).evaluate(parseJson(document) as JsonValue, new Map()).map(textOfItem);
  } catch (error) {
    if (error instanceof PathError) {
      return error.message;
    }
    throw error;
  }
}

/** JSON as JavaScript values. */
type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

const { document } = fc.letrec<{ document: Plain }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Plain>(null, true, false, 0, 1, 2, 7, "a", "b", ""),
    fc.array(tie("document"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("document"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** A path step and its effect on one value; undefined stands for an error that only strict mode raises. */
type Step = readonly [text: string, apply: (value: Plain, isLax: boolean) => readonly Plain[] | undefined];

function elementsOf(value: Plain, isLax: boolean): readonly Plain[] | undefined {
  return Array.isArray(value) ? value : isLax ? [value] : undefined;
}

/** In lax mode, applies to the elements of arrays. */
function overMembers(apply: (value: { [key: string]: Plain }) => readonly Plain[] | undefined): Step[1] {
  return (value, isLax) => {
    const found: Plain[] = [];
    for (const one of isLax && Array.isArray(value) ? value : [value]) {
      const isObject = typeof one === "object" && one !== null && !Array.isArray(one);
      const inner = isObject ? apply(one) : undefined;
      if (inner === undefined && !isLax) {
        return undefined;
      }
      found.push(...(inner ?? []));
    }
    return found;
  };
}

function descendants(value: Plain, name: string): readonly Plain[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const own = !Array.isArray(value) && name in value ? [value[name] as Plain] : [];
  return [...own, ...Object.values(value).flatMap((inner) => descendants(inner, name))];
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom("a", "b", "c")
    .map((name): Step => [`.${name}`, overMembers((value) => (name in value ? [value[name] as Plain] : undefined))]),
  fc.constant<Step>([".*", overMembers((value) => Object.values(value))]),
  fc.constantFrom("a", "b").map((name): Step => [`..${name}`, (value) => descendants(value, name)]),
  fc.constant<Step>(["[*]", elementsOf]),
  fc.nat(2).map(
    (index): Step => [
      `[${index}]`,
      (value, isLax) => {
        const elements = elementsOf(value, isLax);
        const found = elements?.slice(index, index + 1);
        return isLax || found?.length === 1 ? found : undefined;
      },
    ],
  ),
  fc.tuple(fc.nat(2), fc.nat(3)).map(
    ([from, to]): Step => [
      `[${from} to ${to}]`,
      (value, isLax) => {
        const elements = elementsOf(value, isLax);
        const isInside = elements !== undefined && from <= to && to < elements.length;
        return isLax || isInside ? elements?.slice(from, to + 1) : undefined;
      },
    ],
  ),
  fc.constant<Step>([
    "[last]",
    (value, isLax) => {
      const elements = elementsOf(value, isLax);
      return isLax || (elements ?? []).length > 0 ? elements?.slice(-1) : undefined;
    },
  ]),
  fc.constantFrom(0, 1, 2).map(
    (limit): Step => [
      `?(@ > ${limit})`,
      (value, isLax) => {
        // A predicate also unwraps the arrays of its operands.
        const holds = (one: Plain): boolean => {
          for (const part of isLax && Array.isArray(one) ? one : [one]) {
            if (typeof part === "number") {
              if (part > limit) {
                return true;
              }
            } else if (part !== null) {
              return false;
            }
          }
          return false;
        };
        const isComparable = (one: Plain): boolean =>
          !(Array.isArray(one) && one.some((part) => typeof part === "object" && part !== null));
        return (isLax && Array.isArray(value) ? value : [value]).filter((one) => isComparable(one) && holds(one));
      },
    ],
  ),
);

function model(steps: readonly Step[], value: Plain, isLax: boolean): readonly Plain[] | "error" {
  let items: readonly Plain[] = [value];
  for (const [, apply] of steps) {
    const next = items.map((item) => apply(item, isLax));
    if (next.some((found) => found === undefined)) {
      return "error";
    }
    items = next.flatMap((found) => found ?? []);
  }
  return items;
}

describe("a path", () => {
  it("leads where a plain walk over the document leads", () => {
    fc.assert(
      fc.property(document, fc.array(step, { maxLength: 4 }), fc.boolean(), (value, steps, isLax) => {
        const path = `${isLax ? "lax" : "strict"} $${steps.map(([text]) => text).join("")}`;
        const expected = model(steps, value, isLax);
        const found = evaluate(path, JSON.stringify(value));
        expect(typeof found === "string" ? "error" : found).toEqual(
          expected === "error" ? expected : expected.map((one) => formatJson(parseJson(JSON.stringify(one)) as JsonValue, "given")),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("of any text is a path or a syntax error with its place, and nothing else", () => {
    const piece = fc.constantFrom(
      ...'lax strict $ @ . .. * [ ] ( ) ? ! && || == < is unknown exists last to 1 -1 .5 1e3 "s" a size() $v , + - like_regex'.split(" "),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((parts) => `lax ${parts.join(" ")}`),
        ),
        (text) => {
          try {
            parsePath(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PathSyntaxError);
            expect((error as PathSyntaxError).offset).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["parentheses", `lax ${"(".repeat(100_000)}`],
    ["signs", `lax ${"-".repeat(100_000)}$`],
    ["accessors", `lax $${".a".repeat(100_000)}`],
    ["sums", `lax $${" + 1".repeat(100_000)}`],
    ["predicates in parentheses", `lax $?(${"(".repeat(10_000)}@ == 1${")".repeat(10_000)})`],
    ["conditions", `lax $?(${"@ == 1 && ".repeat(50_000)}@ == 1)`],
    ["filters", `lax $${"?(@ == $".repeat(5000)}`],
  ])("of endless %s is an error, not the end of the stack", (_, text) => {
    expect(() => parsePath(text)).toThrow(PathSyntaxError);
  });

  it("with a parenthesis that is a predicate's or a path's is read in time linear in its length", () => {
    const depth = 60;
    const text = `lax $?(${"(@?(".repeat(depth)}1 == 1${")) == 1".repeat(depth)})`;
    expect(parsePath(text).root.kind).toBe("filter");
  });

  it("that doubles its items at each step ends in an error", () => {
    const path = new PathEvaluator(parsePath(`lax $${"[0, 0]".repeat(40)}`));
    expect(() => path.evaluate(null, new Map())).toThrow("JSON path gives a sequence of more than 1000000 items");
  });

  it("that reads its items again for each of them ends in an error", () => {
    const path = new PathEvaluator(parsePath("lax $[*] ? (exists($[*] ? (@ < 0)))"));
    const items = parseJson(`[${"1,".repeat(9_999)}1]`) ?? null;
    expect(() => path.evaluate(items, new Map())).toThrow("JSON path reads more than 5000000 items in filters");
  });

  it("numbers the objects of keyvalue() from 0 in each document", () => {
    const path = new PathEvaluator(parsePath("lax $.keyvalue().id"));
    for (let round = 0; round < 2; round++) {
      expect(path.evaluate(parseJson('[{"a": 1}, {"b": 2, "c": 3}]') as JsonValue, new Map()).map(textOfItem)).toEqual(["0", "1", "1"]);
    }
  });
});

describe("documents", () => {
  it("that are not JSON are told so", () => {
    expect(() => new JsonReader().read("[...", "JSON")).toThrow(inputError().message);
    expect(inputError().message).toBe("conversion to JSON failed: ");
  });
});
