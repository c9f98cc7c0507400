/**
 * Login and logout of the web interface, at the addresses of Trino's. A login is a password and gives a cookie; all resources take the
 * cookie in the place of credentials.
 */
import type { Headers, HttpRequest, HttpResponse } from "../../ports/network.ts";
import { firstHeader } from "../../protocol/http/headers.ts";
import { emptyResponse, parsePath, textResponse } from "../../protocol/http/http.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { Authentication, Sender } from "./authentication.ts";

/** Longer forms are no logins, in bytes. */
const formBytesMax = 16 * 1024;
const noStore: Headers = Object.freeze({ "cache-control": "no-store" });

export class Login {
  readonly #authentication: Authentication;

  constructor(authentication: Authentication) {
    this.#authentication = authentication;
  }

  /** Undefined if the request is for another resource. Rejects with RefusedRequest if the password cannot be checked now. */
  answer(request: HttpRequest, sender: Sender): Promise<HttpResponse> | HttpResponse | undefined {
    const { path } = parsePath(request.url);
    if (request.method !== "POST" || (path !== "/ui/login" && path !== "/ui/logout")) {
      return undefined;
    }
    return path === "/ui/logout" ? this.#logout(request, sender) : this.#login(request, sender);
  }

  #logout({ headers }: HttpRequest, { isSecure }: Sender): HttpResponse {
    const ended = this.#authentication.sessions.end(firstHeader(headers, "cookie"), { secure: isSecure });
    return { ...emptyResponse(204), headers: { ...noStore, "set-cookie": ended } };
  }

  /** The body is a form or a JSON object with `username` and `password`. */
  async #login({ body }: HttpRequest, { address, isSecure }: Sender): Promise<HttpResponse> {
    const { passwords, sessions } = this.#authentication;
    if (!isSecure) {
      return textResponse(403, "Authentication over HTTP is not enabled", noStore);
    }
    if (passwords === undefined) {
      return textResponse(403, "Password authentication is not enabled", noStore);
    }
    const { password, user } = body.length > formBytesMax ? { user: "", password: "" } : fieldsOf(decodeUtf8(body));
    const attempt = await passwords.login({ user, password, address });
    if (!("identity" in attempt)) {
      return textResponse(401, attempt.complaint ?? "Unauthorized", noStore);
    }
    const cookie = sessions.begin(attempt.identity, { secure: isSecure });
    return { ...emptyResponse(204), headers: { ...noStore, "set-cookie": cookie } };
  }
}

function fieldsOf(text: string): { readonly user: string; readonly password: string } {
  if (text.startsWith("{")) {
    try {
      const { username, password } = JSON.parse(text) as { readonly username?: unknown; readonly password?: unknown };
      return { user: typeof username === "string" ? username : "", password: typeof password === "string" ? password : "" };
    } catch {
      return { user: "", password: "" };
    }
  }
  const form = new URLSearchParams(text);
  return { user: form.get("username") ?? "", password: form.get("password") ?? "" };
}
