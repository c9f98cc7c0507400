/**
 * Makes the authentication that the configuration describes.
 */
import { ConfigurationError } from "../properties.ts";
import type { Log } from "../../ports/ports.ts";
import { Authentication, type Authenticator, CertificateAuthenticator, JwtAuthenticator, PasswordAuthenticator } from "./authentication.ts";
import type { AuthenticationConfiguration } from "./configuration.ts";
import { FailedLogins } from "./failed-logins.ts";
import { JwtVerifier } from "./jwt.ts";
import type { PasswordChecker } from "./password-checker.ts";
import { PasswordFile } from "./password-file.ts";
import { WebSessions } from "./web-sessions.ts";

export interface AuthenticationParts {
  readonly checker: PasswordChecker;
  readonly log: Log;
}

/** Throws ConfigurationError. */
export function createAuthentication(configuration: AuthenticationConfiguration, parts: AuthenticationParts): Authentication {
  const { checker } = parts;
  const passwords = passwordAuthenticator(configuration, parts);
  const authenticators = configuration.types.flatMap((type): Authenticator | readonly Authenticator[] => {
    switch (type) {
      case "PASSWORD":
        return passwords ?? [];
      case "JWT":
        return configuration.jwt === undefined ? [] : new JwtAuthenticator(new JwtVerifier(configuration.jwt), configuration.mappings.JWT);
      case "CERTIFICATE":
        return new CertificateAuthenticator(configuration.mappings.CERTIFICATE);
    }
  });
  return new Authentication({
    authenticators,
    allowsInsecureOverHttp: configuration.allowsInsecureOverHttp,
    sessions: new WebSessions(configuration.sessionMs),
    ...(passwords === undefined ? {} : { passwords }),
    close: () => checker.close(),
  });
}

function passwordAuthenticator(
  { mappings, passwordFile }: AuthenticationConfiguration,
  { checker, log }: AuthenticationParts,
): PasswordAuthenticator | undefined {
  if (passwordFile === undefined) {
    return undefined;
  }
  const onComplaint = (reason: string): void => log.error("password-file-not-read", { reason });
  try {
    return new PasswordAuthenticator(
      new PasswordFile({ ...passwordFile, checker, failures: new FailedLogins(), onComplaint }),
      mappings.PASSWORD,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`the password file ${passwordFile.path} cannot be used: ${code ?? message}`);
  }
}
