/**
 * Errors in files. Messages name the file and the place.
 */
import { StorageError } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";

/** The content does not match the file's format. The caller, which knows the file and the place, converts it to a QueryError. */
export class BadData extends Error {
  override readonly name = "BadData";
}

export function badFile(path: string, place: string, message: string): QueryError {
  return new QueryError("FILE_BAD_DATA", `${path}${place === "" ? "" : ` ${place}`}: ${message}`);
}

function fileText(path: string): string {
  return path === "" ? "The folder of the catalog" : `File ${path}`;
}

/** Converts storage errors to QueryErrors; other errors pass through. */
export async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) {
      if (error.kind === "CHANGED") {
        throw badFile(path, "", error.message);
      }
      throw error.kind === "NOT_FOUND"
        ? new QueryError("FILE_NOT_FOUND", `${fileText(path)} does not exist`)
        : new QueryError("CONNECTOR_ERROR", `${fileText(path)} cannot be read: ${error.message}`);
    }
    throw error;
  }
}
