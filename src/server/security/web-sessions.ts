/**
 * Sessions of users who have logged in with a browser. A cookie holds a random id; the server keeps its hash, the identity and the end. A
 * restart ends all sessions.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Identity } from "../../protocol/http/identity.ts";

/** Of all users. The session that began first ends for a further one. */
const sessionsMax = 10_000;
const cookieName = "orrery-session";

interface WebSession {
  readonly identity: Identity;
  readonly endMs: number;
}

export class WebSessions {
  readonly #lifeMs: number;
  readonly #nowMs: () => number;
  readonly #sessions = new Map<string, WebSession>();

  constructor(lifeMs: number, nowMs: () => number = () => performance.now()) {
    this.#lifeMs = lifeMs;
    this.#nowMs = nowMs;
  }

  /** Returns the value of Set-Cookie. `secure` if the browser must not send it over plain HTTP. */
  begin(identity: Identity, { secure }: { readonly secure: boolean }): string {
    const id = randomBytes(32).toString("base64url");
    this.#sessions.set(hashOf(id), { identity, endMs: this.#nowMs() + this.#lifeMs });
    if (this.#sessions.size > sessionsMax) {
      const [oldest] = this.#sessions.keys();
      this.#sessions.delete(oldest as string);
    }
    return cookie(id, { secure, maxAge: Math.floor(this.#lifeMs / 1000) });
  }

  /** Identity of the session in a Cookie header. */
  find(header: string | undefined): Identity | undefined {
    for (const key of keysIn(header)) {
      const session = this.#sessions.get(key);
      if (session !== undefined && session.endMs > this.#nowMs()) {
        return session.identity;
      }
      this.#sessions.delete(key);
    }
    return undefined;
  }

  /** Ends the session. Returns the value of Set-Cookie. */
  end(header: string | undefined, { secure }: { readonly secure: boolean }): string {
    for (const key of keysIn(header)) {
      this.#sessions.delete(key);
    }
    return cookie("", { secure, maxAge: 0 });
  }
}

function cookie(value: string, { maxAge, secure }: { readonly secure: boolean; readonly maxAge: number }): string {
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? "; Secure" : ""}`;
}

function keysIn(header: string | undefined): readonly string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => hashOf(pair.slice(cookieName.length + 1)));
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64");
}
