/** Answers of databases that their client libraries do not expect. */

/** What is wrong with an answer, in the words of the engine. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

const unexpectedText = "the server sent an answer that was not asked for";

/**
 * The message of a failure. Texts of the platform about a value that the library took for another one are not told; `isCoded`: nor are
 * those of the library without a code, which it has for its own surprises.
 */
export function reasonOf(error: unknown, isCoded = false): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const code = "code" in error && typeof error.code === "string" && !error.code.startsWith("ERR_");
  const isOfPlatform = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  const isHidden = !(error instanceof AnswerError) && !code && (isCoded || isOfPlatform || "code" in error);
  return isHidden ? unexpectedText : error.message;
}
