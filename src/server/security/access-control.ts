/**
 * The rights that the configuration describes: Trino's file-based access control, read again when the file has changed.
 */
import type { Log } from "../../ports/ports.ts";
import { type AccessConfiguration, accessControlOf } from "../../security/access-configuration.ts";
import type { AccessControl } from "../../security/access-control.ts";
import { parseAccessRules } from "../../security/rules.ts";
import { ConfigurationError } from "../properties.ts";
import type { SecurityConfiguration } from "./configuration.ts";
import { watchChanges, WatchedFile } from "./watched-file.ts";

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
export function createAccessControl(
  { accessRules, authentication }: Pick<SecurityConfiguration, "accessRules" | "authentication">,
  log: Log,
): ConfiguredAccess | undefined {
  if (accessRules === undefined) {
    return authentication === undefined ? undefined : configuredAccess(() => versionOf("default", 0), Number.POSITIVE_INFINITY);
  }
  const { path, pointer, refreshMs } = accessRules;
  let version = 0;
  const parse = (text: string): Version => {
    version += 1;
    return versionOf(parseAccessRules(pointedAt(JSON.parse(text), pointer)), version);
  };
  try {
    const file = new WatchedFile({ path, refreshMs, parse, onComplaint: (reason) => log.error("access-rules-not-read", { reason }) });
    return configuredAccess(() => file.value(), refreshMs);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`the file of access rules ${path} cannot be used: ${code ?? message}`);
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
