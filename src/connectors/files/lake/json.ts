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

/** Integers beyond 2^53 are rounded. */
export function numberAt(document: Document | undefined, name: string): number | undefined {
  const value = member(document, name);
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : undefined;
}

export function listAt(document: Document | undefined, name: string): readonly unknown[] {
  const value = member(document, name);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
