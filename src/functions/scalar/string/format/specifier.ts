/**
 * Format specifiers of Java's Formatter: the parts after a `%`, and their validation.
 */
import { isTimeLetter } from "./times.ts";

/** Maximum width and precision. */
const sizeMax = 100_000;

/** A `%` with everything that belongs to it. */
export interface Specifier {
  /** Text in Java's messages: the flags in canonical order, before the index. */
  readonly text: string;
  /** Length in the format, in UTF-16 units. */
  readonly length: number;
  /** Argument index from 1; undefined for the next argument, 0 for the previous one. */
  readonly index: number | undefined;
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly isTime: boolean;
  readonly isUpper: boolean;
  /** Conversion in lower case, except for times. */
  readonly letter: string;
}

export class FormatError extends Error {
  override readonly name = "FormatError";
}

export function bad(exception: string, detail: string): never {
  throw new FormatError(`${exception}: ${detail}`);
}

const specifierText = /%(?:(\d+)\$)?([-#+ 0,(<]*)(\d+)?(?:\.(\d+))?([tT])?([a-zA-Z%])/y;
const flagOrder = "-#+ 0,(<";

function inOrder(flags: string): string {
  return Array.from(flagOrder)
    .filter((flag) => flags.includes(flag))
    .join("");
}

/** Parses the specifier at `at`, with the checks that Java makes before it looks at the arguments. */
export function parseSpecifier(format: string, at: number): Specifier {
  specifierText.lastIndex = at;
  const match = specifierText.exec(format);
  if (match === null) {
    return bad("UnknownFormatConversion", `Conversion = '${format[at + 1] ?? "%"}'`);
  }
  const [text, index, flags = "", width, precision, time, letter = ""] = match;
  const repeated = Array.from(flags).find((flag, place) => flags.indexOf(flag) !== place);
  if (repeated !== undefined) {
    bad("DuplicateFormatFlags", `Flags = '${repeated}'`);
  }
  const isTime = time !== undefined;
  const isUpper = isTime ? time === "T" : "BHSCXEGA".includes(letter);
  const sizes = `${index === undefined || flags.includes("<") ? "" : `${index}$`}${width ?? ""}${precision === undefined ? "" : `.${precision}`}`;
  const specifier: Specifier = {
    text: `%${inOrder(flags)}${sizes}${time ?? ""}${isUpper ? letter.toUpperCase() : letter}`,
    length: text.length,
    index: flags.includes("<") ? 0 : index === undefined ? undefined : Number(index),
    flags: inOrder(flags),
    width: width === undefined ? undefined : Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    isTime,
    isUpper,
    letter: isUpper && !isTime ? letter.toLowerCase() : letter,
  };
  check(specifier);
  return specifier;
}

export function rejectFlags({ flags, letter }: Specifier, rejected: string): void {
  const flag = Array.from(rejected).find((candidate) => flags.includes(candidate));
  if (flag !== undefined) {
    bad("FormatFlagsConversionMismatch", `Conversion = ${letter}, Flags = ${flag}`);
  }
}

function rejectPrecision({ precision }: Specifier): void {
  if (precision !== undefined) {
    bad("IllegalFormatPrecision", String(precision));
  }
}

function requireWidth({ flags, width, text }: Specifier, flag: string): void {
  if (width === undefined && Array.from(flag).some((one) => flags.includes(one))) {
    bad("MissingFormatWidth", text);
  }
}

function check(specifier: Specifier): void {
  const { letter, isTime, flags, width = 0, precision = 0 } = specifier;
  if (width > sizeMax) {
    bad("IllegalFormatWidth", String(width));
  }
  if (precision > sizeMax) {
    bad("IllegalFormatPrecision", String(precision));
  }
  if (isTime) {
    rejectPrecision(specifier);
    if (!isTimeLetter(letter)) {
      bad("UnknownFormatConversion", `Conversion = 't${letter}'`);
    }
    rejectFlags(specifier, "#+ 0,(");
    return requireWidth(specifier, "-");
  }
  switch (letter) {
    case "b":
    case "h":
      rejectFlags(specifier, "#");
      requireWidth(specifier, "-");
      return rejectFlags(specifier, "+ 0,(");
    case "s":
      requireWidth(specifier, "-");
      return rejectFlags(specifier, "+ 0,(#");
    case "c":
      rejectPrecision(specifier);
      rejectFlags(specifier, "#+ 0,(");
      return requireWidth(specifier, "-");
    case "d":
    case "o":
    case "x":
      checkNumber(specifier);
      rejectPrecision(specifier);
      return rejectFlags(specifier, letter === "d" ? "#" : ",");
    case "e":
    case "f":
    case "g":
    case "a":
      checkNumber(specifier);
      return rejectFlags(specifier, { e: ",", f: "", g: "#", a: "(," }[letter]);
    case "%":
    case "n":
      rejectPrecision(specifier);
      if (letter === "n" && specifier.width !== undefined) {
        bad("IllegalFormatWidth", String(specifier.width));
      }
      if (flags.replace("-", "") !== "" || (letter === "n" && flags !== "")) {
        bad("IllegalFormatFlags", `Flags = '${flags}'`);
      }
      return requireWidth(specifier, "-");
    default:
      return bad("UnknownFormatConversion", `Conversion = '${letter}'`);
  }
}

function checkNumber(specifier: Specifier): void {
  const { flags, isUpper } = specifier;
  requireWidth(specifier, "-0");
  if ((flags.includes("+") && flags.includes(" ")) || (flags.includes("-") && flags.includes("0"))) {
    // Java counts an upper-case conversion as a flag.
    bad("IllegalFormatFlags", `Flags = '${isUpper ? flags.replace(/^-?/, "$&^") : flags}'`);
  }
}
