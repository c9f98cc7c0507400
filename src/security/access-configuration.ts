/**
 * Rights of users as a node's configuration has them. Plain data, so that a recording of the node holds them and a plan of the simulator
 * can draw them.
 */
import type { AccessControl } from "./access-control.ts";
import { defaultAccessControl } from "./default-access-control.ts";
import { RuleAccessControl } from "./rule-access-control.ts";
import type { AccessRules } from "./rules.ts";

/** Rules; or `default`, the rights of authenticated users without rules. */
export type AccessConfiguration = "default" | AccessRules;

/** The rights of users of a node, from its configuration at its start, and from later ones. */
export class CurrentAccess {
  #version = 0;
  #accessControl: AccessControl | undefined;

  constructor(configuration: AccessConfiguration | undefined) {
    this.#accessControl = accessControlOf(configuration, this.#version);
  }

  /** Undefined if all users may do everything, and be anybody. */
  readonly now = (): AccessControl | undefined => this.#accessControl;

  /** Holds from the next request on. Plans that were kept are made anew. */
  replace(configuration: AccessConfiguration): void {
    this.#version += 1;
    this.#accessControl = accessControlOf(configuration, this.#version);
  }
}

/** `version` differs after each change of the configuration. Undefined if all users may do everything, and be anybody. */
export function accessControlOf(configuration: AccessConfiguration | undefined, version: number): AccessControl | undefined {
  if (configuration === undefined) {
    return undefined;
  }
  return configuration === "default" ? defaultAccessControl : new RuleAccessControl(configuration, version);
}
