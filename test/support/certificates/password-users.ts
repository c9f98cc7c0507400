/** Users with passwords over HTTPS at a cluster of loopback nodes, without a password file. */
import { Authentication, PasswordAuthenticator } from "../../../src/server/security/authentication.ts";
import type { PasswordFile, PasswordLogin } from "../../../src/server/security/password-file.ts";
import { WebSessions } from "../../../src/server/security/web-sessions.ts";
import type { LoopbackOptions } from "../loopback-cluster.ts";
import { tlsOf } from "./certificates.ts";

/** Plain HTTP is served too; workers answer nodes only. */
export function passwordSecurity(isRight: (login: PasswordLogin) => boolean): NonNullable<LoopbackOptions["security"]> {
  const file = { isValid: (login: PasswordLogin) => Promise.resolve(isRight(login)) } as PasswordFile;
  const passwords = new PasswordAuthenticator(file, (principal) => principal);
  const authentication = (): Authentication =>
    new Authentication({ authenticators: [passwords], passwords, allowsInsecureOverHttp: false, sessions: new WebSessions(60_000) });
  return (role) => ({
    https: { tls: tlsOf(), port: 0, servesHttp: true, isInternal: false },
    authentication: role === "worker" ? "nodes-only" : authentication(),
  });
}
