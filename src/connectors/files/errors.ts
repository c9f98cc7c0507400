/** What is wrong with a file, in words that name the file and the place. */
import { StorageError } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";

/** The content is not what its name promises; whoever knows the file and the place makes a QueryError of it. */
export class BadData extends Error {
  override readonly name = "BadData";
}

export function badFile(path: string, place: string, message: string): QueryError {
  return new QueryError("FILE_BAD_DATA", `${path}${place === "" ? "" : ` ${place}`}: ${message}`);
}

/** Errors of the storage as QueryErrors; anything else stays what it is. */
export async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) {
      throw error.kind === "NOT_FOUND"
        ? new QueryError("FILE_NOT_FOUND", `File ${path} does not exist`)
        : new QueryError("CONNECTOR_ERROR", `File ${path} cannot be read: ${error.message}`);
    }
    throw error;
  }
}
