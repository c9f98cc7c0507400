/**
 * Maps principals to users, as Trino's user mapping patterns do: the pattern must match the whole principal, and its first group is the
 * user.
 */
import { ConfigurationError } from "../properties.ts";
import { shownValue } from "../../protocol/shown-value.ts";

/** Returns undefined for a principal that has no user. */
export type UserMapping = (principal: string) => string | undefined;

/** Longer principals have no user, in characters: a pattern may take time that grows with the square of the length. */
const principalLengthMax = 1000;

/** An empty pattern keeps the principal. Throws ConfigurationError. */
export function userMapping(property: string, pattern: string): UserMapping {
  if (pattern === "") {
    return (principal) => usable(principal);
  }
  const compiled = compile(property, pattern);
  return (principal) => (principal.length > principalLengthMax ? undefined : usable(compiled.exec(principal)?.[1]));
}

function compile(property: string, pattern: string): RegExp {
  try {
    const compiled = new RegExp(`^(?:${pattern})$`, "u");
    if (new RegExp(`${pattern}|`, "u").exec("")?.length === 1) {
      throw new ConfigurationError(
        `invalid value '${shownValue(pattern)}' for property '${property}': expected a group, which is the user`,
      );
    }
    return compiled;
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw error;
    }
    throw new ConfigurationError(`invalid value '${shownValue(pattern)}' for property '${property}': expected a regular expression`);
  }
}

function usable(user: string | undefined): string | undefined {
  return user === undefined || user === "" || user.length > principalLengthMax || /\p{Cc}/u.test(user) ? undefined : user;
}
