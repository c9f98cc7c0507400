/**
 * Requirements for messages to clients: Presto's location prefix, readable words, no text of the platform.
 */

/** Error texts of the JavaScript engine and of libraries, and of values printed by mistake. */
const platformTexts: readonly RegExp[] = [
  /\bundefined\b(?! group option)/,
  /\[object \w+\]/,
  /is not (?:a function|iterable|defined(?! in the corresponding window)|a constructor|an object|extensible)\b/,
  /Cannot (?:read propert|set propert|convert (?:undefined|null|object|a (?:BigInt|Symbol)|[\d.]+ to a BigInt)|mix BigInt|destructure|access '|create property|redefine)/,
  /(?:Type|Range|Reference|Syntax|Eval|URI|Assertion|Zod|Aggregate|Internal)Error\b|\bInternal error\b/,
  /Maximum (?:call stack|BigInt size)/,
  /Invalid (?:array|string|typed array|code point|count|time|regular expression|date)\b(?! literal| format| zone)/,
  /offset is out of bounds|out of bounds memory|memory access|unreachable executed|Array buffer allocation/,
  /unexpected end of (?:data|JSON)|in JSON at position/i,
  /\bat (?:async )?[\w.<>]+ \(|node:internal|node_modules|\.ts:\d+|\.js:\d+/,
  /=>|\bfunction\s*\(\)|\bSymbol\(/,
  /\bkernel\b|allocation has|catalogue|is not made below|which is not registered/,
  // SQL writes exponents with an E, JavaScript with an e.
  /\d(?:\.\d+)?e[+-]\d/,
];

/** NaN and Infinity, unless the statement can produce them. */
const noNumber = /\bNaN\b|\bInfinity\b/;
const makesNoNumber = /nan|inf|e\d|0\.0|-1\.0|\b(?:exp|pow|power|sinh|cosh)\b/i;

/** What is wrong with a message; undefined if nothing is. A message may quote the statement. */
export function unlikeMessage(message: string, statement = ""): string | undefined {
  const text = message.replace(/^line \d+:\d+: /, "");
  if (/^line \d/.test(text)) {
    return "has a second place";
  }
  if (text.trim() !== text || text === "") {
    // Presto's list of candidates ends with a space after candidates without type variables, and some messages end with a quoted text. The
    // beginning of the list may be left out.
    return /(?:Expected: |^Unexpected parameters .*characters left out\) ).* $|^Could not choose a best candidate/.test(text) ||
      /: [^:]*\s*$/.test(text)
      ? undefined
      : "begins or ends with space";
  }
  if (noNumber.test(text) && !makesNoNumber.test(statement)) {
    return "has a number that is none";
  }
  const own = text.replaceAll(/[\w$[\]=>]+/g, (word) => (statement.includes(word) ? "" : word));
  return platformTexts.find((pattern) => pattern.test(text) && pattern.test(own))?.source;
}
