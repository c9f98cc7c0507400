/** Objects by their keys, as S3 and web servers have them. All errors are StorageErrors, or USER_CANCELED. */
import type { Lifetime } from "../../../ports/lifetime.ts";

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Of HTTP: the ETag, or what else the server says of the content. Changes whenever the content changes. Empty if it is not known. */
  readonly version: string;
  readonly modifiedMillis?: number;
}

export interface Listed {
  readonly objects: readonly StoredObject[];
  /** Names of what has further slashes. */
  readonly folders: readonly string[];
}

export interface ObjectStore {
  /** The same store. What waits for it ends with the lifetime: USER_CANCELED. */
  until(life: Lifetime): ObjectStore;
  /** Absent if it cannot be written to. */
  readonly writer?: ObjectWriter;
  /** What lies directly below a folder, which is empty or ends with a slash. In any order. */
  list(folder: string): Promise<Listed>;
  /** NOT_FOUND if there is no such object. */
  head(key: string): Promise<StoredObject>;
  /**
   * Exactly these bytes, which must lie within the object, of the object's version: CHANGED if it has another one, NOT_FOUND if it has
   * gone. `offset` and `length` in bytes; `length` > 0.
   */
  get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array>;
}

/** A condition of a write: only if there is no such object, or if it has this version. */
export type WriteCondition = { readonly kind: "absent" } | { readonly kind: "version"; readonly version: string };

/** Parts of an object that are stored, and become the object when the upload is completed. */
export interface Upload {
  readonly key: string;
  readonly id: string;
}

export interface UnfinishedUpload extends Upload {
  /** undefined if the store does not tell it. */
  readonly begunMillis: number | undefined;
}

/** Writes of objects. An object is there as a whole or not at all. */
export interface ObjectWriter {
  /** The store itself removes uploads that are not completed for long. */
  readonly forgetsUploads?: true;
  /** Returns false if the condition does not hold. */
  put(key: string, bytes: Uint8Array, condition?: WriteCondition): Promise<boolean>;
  /** A missing object is no error. */
  remove(key: string): Promise<void>;
  begin(key: string): Promise<Upload>;
  /** Returns the tag of the part, for `complete`. Numbers start at 1; all parts but the last have at least partBytesMin bytes. */
  part(upload: Upload, number: number, bytes: Uint8Array): Promise<string>;
  /** The object is there when it resolves. `tags` in the order of the parts, at least one. */
  complete(upload: Upload, tags: readonly string[], sizeBytes: number): Promise<void>;
  /** Removes the parts. An upload that is over is no error. */
  abandon(upload: Upload): Promise<void>;
  /** Uploads whose keys begin with the prefix. */
  unfinished(prefix: string): Promise<readonly UnfinishedUpload[]>;
}

/** Of stores that can be written to. */
export const partBytesMin = 5_242_880;
