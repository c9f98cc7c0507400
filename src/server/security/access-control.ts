/**
 * The rights that the configuration describes: Trino's file-based access control, read again when the file has changed.
 */
import type { Log } from "../../ports/ports.ts";
import type { AccessControl } from "../../security/access-control.ts";
import { defaultAccessControl } from "../../security/default-access-control.ts";
import { RuleAccessControl } from "../../security/rule-access-control.ts";
import { parseAccessRules } from "../../security/rules.ts";
import { ConfigurationError } from "../properties.ts";
import type { SecurityConfiguration } from "./configuration.ts";
import { WatchedFile } from "./watched-file.ts";

/** Undefined if all users may do everything, and be anybody. Throws ConfigurationError. */
export function createAccessControl(
  { accessRules, authentication }: Pick<SecurityConfiguration, "accessRules" | "authentication">,
  log: Log,
): (() => AccessControl) | undefined {
  if (accessRules === undefined) {
    return authentication === undefined ? undefined : () => defaultAccessControl;
  }
  const { path, refreshMs } = accessRules;
  let version = 0;
  const parse = (text: string): AccessControl => {
    version += 1;
    return new RuleAccessControl(parseAccessRules(JSON.parse(text)), version);
  };
  try {
    const file = new WatchedFile({ path, refreshMs, parse, onComplaint: (reason) => log.error("access-rules-not-read", { reason }) });
    return () => file.value();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`the file of access rules ${path} cannot be used: ${code ?? message}`);
  }
}
