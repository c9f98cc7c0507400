/** The login page, in the place of all pages while the coordinator asks for a login. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { retryNow } from "../api/connection.ts";
import { logIn, login, logOut } from "../api/login.ts";
import { setTitle } from "./title.ts";

export function Login(): JSX.Element {
  const failure = useSignal("");
  const isBusy = useSignal(false);
  const user = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setTitle("Log in");
    user.current?.focus();
  }, []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    const problem = await logIn(user.current?.value ?? "", password.current?.value ?? "");
    isBusy.value = false;
    failure.value = problem ?? "";
    if (problem === undefined) {
      retryNow();
    } else if (password.current !== null) {
      password.current.value = "";
      password.current.focus();
    }
  };
  return (
    <main id="main" class="login" tabIndex={-1}>
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>Log in</h1>
        <label>
          User
          <input ref={user} name="username" autocomplete="username" autocapitalize="none" spellcheck={false} required />
        </label>
        <label>
          Password
          <input ref={password} name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="problem" role="alert">
          {failure.value}
        </p>
        <button type="submit" class="primary" disabled={isBusy.value}>
          Log in
        </button>
      </form>
    </main>
  );
}

/** In the header; nothing if nobody has logged in. */
export function LoggedIn(): JSX.Element | null {
  const { user } = login.value;
  return user === undefined ? null : (
    <span class="logged-in">
      <span title="Logged in as">{user}</span>
      <button type="button" class="quiet" onClick={() => void logOut()}>
        Log out
      </button>
    </span>
  );
}
