/**
 * What the network of a server program needs to be secure: HTTPS and authentication, as the configuration describes them.
 */
import type { Log } from "../../ports/ports.ts";
import type { RealNetworkOptions } from "../transport/network.ts";
import type { SecurityConfiguration } from "./configuration.ts";
import { createAuthentication } from "./create-authentication.ts";
import type { PasswordChecker } from "./password-checker.ts";
import { Tls } from "./tls.ts";

export interface SecurityParts {
  readonly log: Log;
  readonly checker: PasswordChecker;
}

/** Throws ConfigurationError. */
export function networkSecurity(
  { authentication, internalHttps, servesHttp, tls }: SecurityConfiguration,
  parts: SecurityParts,
): Pick<RealNetworkOptions, "authentication" | "https"> {
  const { log } = parts;
  return {
    ...(authentication === undefined ? {} : { authentication: createAuthentication(authentication, parts) }),
    ...(tls === undefined
      ? {}
      : {
          https: {
            tls: new Tls(tls, (reason) => log.error("certificate-not-read", { reason })),
            port: tls.port,
            servesHttp,
            isInternal: internalHttps,
          },
        }),
  };
}
