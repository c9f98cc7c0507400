/**
 * Character sets of regular expressions: ranges, named classes, Unicode properties, with union, intersection, complement and case folding.
 */

export type Test = (point: number) => boolean;

const asciiPoints = 128;

/** A set with a lookup table for ASCII. */
export class CharacterSet {
  readonly #ascii: Uint8Array;

  constructor(readonly test: Test) {
    this.#ascii = Uint8Array.from({ length: asciiPoints }, (_, point) => (test(point) ? 1 : 0));
  }

  has(point: number): boolean {
    return point < asciiPoints ? this.#ascii[point] === 1 : this.test(point);
  }
}

export function range(first: number, last: number): Test {
  return (point) => point >= first && point <= last;
}

export function union(tests: readonly Test[]): Test {
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (point) => tests.some((test) => test(point));
}

export function intersection(tests: readonly Test[]): Test {
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (point) => tests.every((test) => test(point));
}

export function complement(test: Test): Test {
  return (point) => !test(point);
}

/** A character whose other case is not a single code point (`ß`) has no other case here. */
function otherCase(text: string, point: number): number {
  const other = text.codePointAt(0) as number;
  return text.length === (other > 0xffff ? 2 : 1) ? other : point;
}

/** The case-insensitive version of a test. */
export function foldCase(test: Test): Test {
  return (point) => {
    if (test(point)) {
      return true;
    }
    const text = String.fromCodePoint(point);
    const upper = otherCase(text.toUpperCase(), point);
    const lower = otherCase(text.toLowerCase(), point);
    return test(upper) || test(lower) || test(otherCase(String.fromCodePoint(upper).toLowerCase(), upper));
  };
}

export const isDigit: Test = range(48, 57);
export const isWord: Test = union([range(97, 122), range(65, 90), isDigit, range(95, 95)]);
export const isSpace: Test = union([range(9, 13), range(32, 32)]);
export const isNewline: Test = range(10, 10);
export const anyPoint: Test = () => true;
export const isHorizontalSpace: Test = (point) =>
  point === 9 ||
  point === 32 ||
  point === 0xa0 ||
  point === 0x1680 ||
  point === 0x180e ||
  (point >= 0x2000 && point <= 0x200a) ||
  point === 0x202f ||
  point === 0x205f ||
  point === 0x3000;
export const isVerticalSpace: Test = (point) => (point >= 10 && point <= 13) || point === 0x85 || point === 0x2028 || point === 0x2029;

const isLetter = union([range(97, 122), range(65, 90)]);
const isPunctuation = union([range(33, 47), range(58, 64), range(91, 96), range(123, 126)]);

/** Java's POSIX classes: ASCII only. */
const posix: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["lower", range(97, 122)],
  ["upper", range(65, 90)],
  ["ascii", range(0, 127)],
  ["alpha", isLetter],
  ["digit", isDigit],
  ["alnum", union([isLetter, isDigit])],
  ["punct", isPunctuation],
  ["graph", range(33, 126)],
  ["print", range(32, 126)],
  ["blank", union([range(9, 9), range(32, 32)])],
  ["cntrl", union([range(0, 31), range(127, 127)])],
  ["xdigit", union([isDigit, range(97, 102), range(65, 70)])],
  ["space", isSpace],
  ["any", anyPoint],
]);

const categories = new Set(
  "L Lu Ll Lt Lm Lo LC M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cs Co Cn".split(" "),
);

const binaries: ReadonlyMap<string, string> = new Map<string, string>([
  ["alphabetic", "Alphabetic"],
  ["ideographic", "Ideographic"],
  ["lowercase", "Lowercase"],
  ["uppercase", "Uppercase"],
  ["whitespace", "White_Space"],
  ["noncharactercodepoint", "Noncharacter_Code_Point"],
  ["emoji", "Emoji"],
]);

const scripts: ReadonlyMap<string, string> = new Map(
  (
    "Arabic Armenian Bengali Bopomofo Braille Cherokee Common Coptic Cyrillic Devanagari Ethiopic Georgian Gothic Greek Gujarati Gurmukhi Han Hangul Hebrew " +
    "Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Ogham Oriya Runic Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Yi"
  )
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

/**
 * Tests one of the properties listed above with JavaScript's Unicode tables. The input is a single character, so the test takes constant
 * time.
 */
function platformProperty(name: string): Test {
  const pattern = new RegExp(`^\\p{${name}}$`, "u");
  return (point) => pattern.test(String.fromCodePoint(point));
}

/**
 * Resolves the content of `\p{..}`: categories, scripts, binary properties and POSIX classes, with or without `Is`, `gc=`, `sc=`. Undefined
 * if unknown.
 */
export function propertyTest(written: string): Test | undefined {
  const assigned = /^(gc|general_category|sc|script)=(.*)$/i.exec(written);
  const bare = (assigned?.[2] ?? written).replace(/^Is/, "");
  const lower = bare.replaceAll("_", "").toLowerCase();
  if (categories.has(bare)) {
    return platformProperty(bare);
  }
  const found = posix.get(lower);
  if (found !== undefined && assigned === null && !written.startsWith("Is")) {
    return found;
  }
  const binary = binaries.get(lower);
  if (binary !== undefined) {
    return platformProperty(binary);
  }
  const script = scripts.get(lower);
  return script === undefined ? found : platformProperty(`Script=${script}`);
}
