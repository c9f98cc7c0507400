/** Objects by their keys, as S3 and web servers have them. All errors are StorageErrors. */

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
