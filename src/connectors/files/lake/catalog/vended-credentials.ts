/**
 * Credentials that a catalog of Iceberg gives with the metadata of a table, and how long they are valid. Names of the configuration are
 * those of Iceberg's S3FileIO, GCSFileIO and ADLSFileIO.
 */
import type { Clock } from "../../../../ports/clock.ts";
import type { Lifetime } from "../../../../ports/lifetime.ts";
import type { AccessKeys } from "../../../../ports/outbound.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { parseAzureLocation } from "../../../shared/object-store/azure/location.ts";
import { sharedSignatureOf } from "../../../shared/object-store/azure/account.ts";
import { type Expiring, ExpiringValue } from "../../../shared/object-store/expiring.ts";
import type { GivenCredentials } from "../../../shared/object-store/locations.ts";
import { parseIsoTime } from "../../../shared/object-store/times.ts";
import { type Document, member, textAt } from "../json.ts";

/** Of credentials whose end is not told. */
const validMillisDefault = 600_000;
const [sasPrefix, sasEndPrefix] = ["adls.sas-token.", "adls.sas-token-expires-at-ms."];

export interface VendedCredentialsOptions {
  /** The configuration of the table, as the catalog gives it now. */
  readonly config: (life: Lifetime) => Promise<Document>;
  /** Address of the bucket or container. */
  readonly root: string;
  readonly clock: Clock;
}

/** Of the table's scheme alone one is asked for. Their errors are QueryErrors. */
export function vendedCredentials({ config, root, clock }: VendedCredentialsOptions): GivenCredentials {
  const expiring = <T>(of: (given: Document) => { readonly value: T; readonly endsAtMillis: number | undefined }): ExpiringValue<T> =>
    new ExpiringValue(clock, async (life): Promise<Expiring<T>> => {
      const { value, endsAtMillis } = of(await config(life));
      return { value, endsAtMillis: endsAtMillis ?? clock.wallMillis() + validMillisDefault };
    });
  return { keys: expiring(accessKeysOf), gcsToken: expiring(googleTokenOf), azureSas: expiring((given) => sharedSignatureIn(given, root)) };
}

function accessKeysOf(config: Document): { readonly value: AccessKeys; readonly endsAtMillis: number | undefined } {
  const [accessKey, secretKey, sessionToken] = ["s3.access-key-id", "s3.secret-access-key", "s3.session-token"].map((name) =>
    textAt(config, name),
  );
  if (accessKey === undefined || secretKey === undefined || !isVisible(`${accessKey}${sessionToken ?? ""}`)) {
    throw noCredentials();
  }
  const value = { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) };
  return { value, endsAtMillis: millisAt(config, "s3.session-token-expires-at-ms") };
}

function googleTokenOf(config: Document): { readonly value: string; readonly endsAtMillis: number | undefined } {
  const value = textAt(config, "gcs.oauth2.token");
  if (value === undefined || !isVisible(value)) {
    throw noCredentials();
  }
  return { value, endsAtMillis: millisAt(config, "gcs.oauth2.token-expires-at") };
}

/** The names end with the account, or with the host of its endpoint. */
function sharedSignatureIn(config: Document, root: string): { readonly value: string; readonly endsAtMillis: number | undefined } {
  const account = parseAzureLocation(root)?.name ?? "";
  const isOfAccount = (name: string): boolean => name === account || name.startsWith(`${account}.`);
  const suffix = Object.keys(config)
    .filter((name) => name.startsWith(sasPrefix))
    .map((name) => name.slice(sasPrefix.length))
    .toSorted()
    .find(isOfAccount);
  const value = suffix === undefined ? undefined : sharedSignatureOf(textAt(config, sasPrefix + suffix) ?? "");
  if (suffix === undefined || value === undefined) {
    throw noCredentials();
  }
  return { value, endsAtMillis: millisAt(config, sasEndPrefix + suffix) ?? signedEndOf(value) };
}

/** "Signed expiry" of the signature itself. */
function signedEndOf(token: string): number | undefined {
  const [, text = ""] = /(?:^|&)se=([^&]*)/.exec(token) ?? [];
  try {
    return parseIsoTime(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

function isVisible(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function millisAt(config: Document, name: string): number | undefined {
  const millis = Number(member(config, name) ?? Number.NaN);
  return Number.isFinite(millis) ? millis : undefined;
}

function noCredentials(): QueryError {
  return new QueryError("CONNECTOR_ERROR", "Iceberg REST catalog: it gave no credentials for the files of the table");
}
