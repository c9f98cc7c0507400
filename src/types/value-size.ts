/**
 * Maximum size of a value: the bytes of a text, an array, a map or a row. Host functions create their values in the platform's memory,
 * which no query limit covers; a value that doubles in each iteration of a loop would end the process. Presto has no such limit except its
 * heap.
 */

/** Bytes of one value in a page. */
export const valueBytesMax = 67_108_864;
/**
 * Elements of an array that a function makes longer than its arguments. Reading and writing so many takes seconds, and the worker does
 * nothing else in that time.
 */
export const elementsMax = 1_048_576;

export const valueTooLargeMessage = `Value is larger than the maximum of ${valueBytesMax} bytes`;

export class ValueTooLargeError extends Error {
  override readonly name = "ValueTooLargeError";

  constructor() {
    super(valueTooLargeMessage);
  }
}

/** Must be called before the value is created. */
export function requireValueBytes(bytes: number): void {
  if (bytes > valueBytesMax) {
    throw new ValueTooLargeError();
  }
}

/** Must be called before an array is created that is longer than its inputs. */
export function requireElements(count: number): void {
  if (count > elementsMax) {
    throw new ValueTooLargeError();
  }
}

const platformMessages =
  /^Invalid (string|array|typed array) length|^Array buffer allocation failed|^Invalid count value|^Cannot create a string longer/;

/** Whether the error is the platform's error for a text, array or buffer that is too large, or a ValueTooLargeError. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ValueTooLargeError || (error instanceof Error && platformMessages.test(error.message));
}
