/** Keys of a bucket that a catalog of Iceberg gives with the metadata of a table, and how long they are valid. */
import type { AccessKeys } from "../../../../ports/outbound.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { type Document, member, textAt } from "../json.ts";

export interface VendedKeys {
  readonly keys: AccessKeys;
  readonly endsAtMillis: number;
}

/** Of keys whose end is not told. */
const validMillisDefault = 600_000;
/** Keys are asked for anew this long before they end. */
const marginMillis = 60_000;

/** Names of the configuration are those of Iceberg's S3FileIO. */
export function vendedKeysOf(config: Document, nowMillis: number): VendedKeys {
  const [accessKey, secretKey, sessionToken] = ["s3.access-key-id", "s3.secret-access-key", "s3.session-token"].map((name) =>
    textAt(config, name),
  );
  if (accessKey === undefined || secretKey === undefined) {
    throw new QueryError("CONNECTOR_ERROR", "Iceberg REST catalog: it gave no keys for the files of the table");
  }
  const ends = Number(member(config, "s3.session-token-expires-at-ms") ?? Number.NaN);
  const endsAtMillis = Number.isFinite(ends) ? Math.max(nowMillis + 1000, ends - marginMillis) : nowMillis + validMillisDefault;
  return { keys: { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) }, endsAtMillis };
}
