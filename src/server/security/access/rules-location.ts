/** Where a document of rules is: the path of a file, or an address of HTTP. */
import { ConfigurationError } from "../../properties.ts";

export function isAddress(location: string): boolean {
  return /^https?:/i.test(location);
}

/** Throws ConfigurationError for an address that is none. Its text is not shown: it may have a password in it. */
export function checkedLocation(location: string): string {
  if (!isAddress(location)) {
    return location;
  }
  const address = URL.canParse(location) ? new URL(location) : undefined;
  if (address === undefined || address.username !== "" || address.password !== "") {
    throw new ConfigurationError("invalid value for property 'security.config-file': expected an address without user and password");
  }
  return location;
}

/** Without the query, which may hold a secret. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
