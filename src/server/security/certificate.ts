/**
 * The principal of a client certificate: its subject as RFC 2253 writes it, the last part first, as Java's `X500Principal` does.
 */
import type { X509Certificate } from "node:crypto";

export function principalOf(certificate: Pick<X509Certificate, "subject">): string {
  return certificate.subject
    .split("\n")
    .filter((part) => part !== "")
    .reverse()
    .join(",");
}
