/** Addresses of files in object stores. Schemes and hosts that name the same files have one form. */
import { parseAzureLocation } from "../../../shared/object-store/azure/location.ts";

interface Place {
  /** Address of the bucket or container, without a slash at its end. */
  readonly root: string;
  readonly key: string;
}

/** undefined outside of S3, Google Cloud Storage and Azure. The key may be empty. */
function placeOf(address: string): Place | undefined {
  const match = /^(s3[an]?|gs):\/\/([^/]+)(?:\/+(.*))?$/i.exec(address);
  if (match !== null) {
    const [, scheme = "", bucket = "", key = ""] = match;
    return { root: `${scheme.toLowerCase() === "gs" ? "gs" : "s3"}://${bucket}`, key };
  }
  const { container, host, path = "" } = parseAzureLocation(address) ?? {};
  const isWhole = container !== undefined && host !== undefined;
  return isWhole ? { root: `abfss://${container}@${host.replace(".blob.", ".dfs.")}`, key: path.replace(/^\/+/, "") } : undefined;
}

/** Of a file or of a folder that is no root. */
export function fileInStore(address: string): Place | undefined {
  const place = placeOf(address);
  return place === undefined || place.key === "" ? undefined : place;
}

/** The same text for addresses of the same file; an address of another store as it is. */
export function uniformAddress(address: string): string {
  const place = placeOf(address);
  return place === undefined ? address : `${place.root}/${place.key}`;
}
