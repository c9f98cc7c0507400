/**
 * The largest value: how many bytes a text, an array, a map or a row may take. Functions whose meaning is TypeScript make their values in the platform's memory,
 * which no limit of a query counts, and a value that doubles with each step of a loop would end the process. Presto has no such limit but the memory of its node.
 */

/** Of one value as pages hold it. */
export const valueBytesMax = 67_108_864;
/** Of an array that a function makes longer than those it is given: reading and writing so many takes seconds, in which a worker does nothing else. */
export const elementsMax = 4_194_304;

export const valueTooLargeMessage = `Value is larger than the maximum of ${valueBytesMax} bytes`;

export class ValueTooLargeError extends Error {
  override readonly name = "ValueTooLargeError";

  constructor() {
    super(valueTooLargeMessage);
  }
}

/** To be asked before the value is made. */
export function requireValueBytes(bytes: number): void {
  if (bytes > valueBytesMax) {
    throw new ValueTooLargeError();
  }
}

/** To be asked before an array is made that is longer than those it is made of. */
export function requireElements(count: number): void {
  if (count > elementsMax) {
    throw new ValueTooLargeError();
  }
}

const platformMessages =
  /^Invalid (string|array|typed array) length|^Array buffer allocation failed|^Invalid count value|^Cannot create a string longer/;

/** What the platform throws where it cannot make a text, an array or a buffer of the size that is wanted; and what is thrown here. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ValueTooLargeError || (error instanceof Error && platformMessages.test(error.message));
}
