/** Documents of table formats: JSON whose members may be missing or of another kind. */
import { decodeUtf8 } from "../../../types/utf8.ts";
import { ownMember } from "../../../types/own.ts";
import { parseExactJson } from "../../shared/exact-json.ts";
import { badFile } from "../../shared/file-errors.ts";

export type Document = Readonly<Record<string, unknown>>;

export function parsed(path: string, bytes: Uint8Array | string): Document {
  try {
    const found: unknown = JSON.parse(typeof bytes === "string" ? bytes : decodeUtf8(bytes));
    const document = asDocument(found);
    if (document !== undefined) {
      return document;
    }
  } catch {
    // Reported below.
  }
  throw badFile(path, "", "this is no JSON object");
}

/** As `parsed`; integers beyond 2^53 are bigints. */
export function parsedExactly(path: string, bytes: Uint8Array): Document {
  try {
    const document = asDocument(parseExactJson(decodeUtf8(bytes)));
    if (document !== undefined) {
      return document;
    }
  } catch {
    // Reported below.
  }
  throw badFile(path, "", "this is no JSON object");
}

export function asDocument(value: unknown): Document | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Document) : undefined;
}

export function member(document: Document | undefined, name: string): unknown {
  return document === undefined ? undefined : ownMember(document, name);
}

export function documentAt(document: Document | undefined, name: string): Document | undefined {
  return asDocument(member(document, name));
}

export function textAt(document: Document | undefined, name: string): string | undefined {
  const value = member(document, name);
  return typeof value === "string" ? value : undefined;
}

/** undefined for fractions and for numbers beyond 2^53. */
export function integerAt(document: Document | undefined, name: string): number | undefined {
  const value = member(document, name);
  const found = typeof value === "bigint" ? Number(value) : value;
  return typeof found === "number" && Number.isSafeInteger(found) ? found : undefined;
}

/** A number of bytes or rows; undefined for what is none, such as a negative number. */
export function countAt(document: Document | undefined, name: string): number | undefined {
  const value = integerAt(document, name);
  return value !== undefined && value >= 0 ? value : undefined;
}

export function listAt(document: Document | undefined, name: string): readonly unknown[] {
  const value = member(document, name);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A whole number of 64 bits, in digits or not. */
export function bigintOf(value: unknown): bigint | null {
  const isWhole = typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "string" && /^-?\d{1,19}$/.test(value);
  const found = typeof value === "bigint" ? value : isWhole ? BigInt(value as number | string) : null;
  return found === null || BigInt.asIntN(64, found) !== found ? null : found;
}

/** A whole number of 32 bits, in digits or not. */
export function integerOf(value: unknown): number | null {
  const found = bigintOf(value);
  return found === null || BigInt.asIntN(32, found) !== found ? null : Number(found);
}
