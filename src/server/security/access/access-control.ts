/**
 * The rights that the configuration describes: Trino's file-based access control, its rules read again when the file or the document at
 * the address has changed; or one of the built-in sets of rights.
 */
import type { Log } from "../../../ports/ports.ts";
import { type AccessConfiguration, accessControlOf } from "../../../security/access-configuration.ts";
import type { AccessControl } from "../../../security/access-control.ts";
import { parseAccessRules } from "../../../security/rules.ts";
import { ConfigurationError } from "../../properties.ts";
import type { SecurityConfiguration } from "../configuration.ts";
import { FetchedDocument } from "./fetched-document.ts";
import { isAddress, shownAddress } from "./rules-location.ts";
import { watchChanges, WatchedFile } from "../watched-file.ts";

export interface ConfiguredAccess {
  /** As the configuration describes them now. */
  readonly configuration: () => AccessConfiguration;
  readonly accessControl: () => AccessControl;
  /** Calls back after each change that is taken over, until the returned function is called. */
  readonly watch: (take: (configuration: AccessConfiguration) => void) => () => void;
}

interface Version {
  readonly configuration: AccessConfiguration;
  readonly accessControl: AccessControl;
}

/** Undefined if all users may do everything, and be anybody. Throws ConfigurationError. */
export async function createAccessControl(
  { access, authentication }: Pick<SecurityConfiguration, "access" | "authentication">,
  log: Log,
): Promise<ConfiguredAccess | undefined> {
  if (access === undefined || "rights" in access) {
    const rights = access?.rights ?? (authentication === undefined ? undefined : "default");
    return rights === undefined ? undefined : configuredAccess(() => versionOf(rights, 0), Number.POSITIVE_INFINITY);
  }
  const { location, pointer, refreshMs } = access;
  let version = 0;
  const parse = (text: string): Version => {
    version += 1;
    return versionOf(parseAccessRules(pointedAt(JSON.parse(text), pointer)), version);
  };
  const onComplaint = (reason: string): void => log.error("access-rules-not-read", { reason });
  try {
    const document = isAddress(location)
      ? await FetchedDocument.open({ address: location, refreshMs, parse, onComplaint })
      : new WatchedFile({ path: location, refreshMs, parse, onComplaint });
    return configuredAccess(() => document.value(), refreshMs);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const place = isAddress(location) ? `access rules at ${shownAddress(location)}` : `file of access rules ${location}`;
    throw new ConfigurationError(`the ${place} cannot be used: ${code ?? message}`);
  }
}

function versionOf(configuration: AccessConfiguration, version: number): Version {
  return { configuration, accessControl: accessControlOf(configuration, { version }) as AccessControl };
}

function configuredAccess(current: () => Version, refreshMs: number): ConfiguredAccess {
  return {
    configuration: () => current().configuration,
    accessControl: () => current().accessControl,
    watch: (take) => watchChanges(current, refreshMs, ({ configuration }) => take(configuration)),
  };
}

/** What a JSON pointer (RFC 6901) points at. Throws an error with a one-line message if there is nothing. */
function pointedAt(document: unknown, pointer: string): unknown {
  const keys = pointer.split("/").slice(1);
  let part = document;
  for (const key of keys) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) {
      throw new Error(`nothing is at ${pointer}`);
    }
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}
