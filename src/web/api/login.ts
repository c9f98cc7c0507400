/** Who has logged in, and whether the coordinator asks for a login. Every answer reports here. */
import { type ReadonlySignal, signal } from "@preact/signals";

export interface LoginState {
  /** Undefined if the coordinator takes clients at their word, or before the first answer. */
  readonly user: string | undefined;
  readonly isRequired: boolean;
}

const current = signal<LoginState>({ user: undefined, isRequired: false });

export const login: ReadonlySignal<LoginState> = current;

/** The coordinator names the authenticated user in each answer. */
export function noteLogin({ headers, status }: Response): void {
  const name = headers.get("x-engine-authenticated-user");
  if (status !== 401 && name === null) {
    return;
  }
  const user = status === 401 || name === null ? undefined : decodeURIComponent(name);
  const isRequired = status === 401;
  if (user !== current.value.user || isRequired !== current.value.isRequired) {
    current.value = { user, isRequired };
  }
}

/** Returns why the login failed; undefined if it did not. */
export async function logIn(username: string, password: string): Promise<string | undefined> {
  const body = new URLSearchParams({ username, password });
  try {
    const response = await fetch(new URL("ui/login", document.baseURI), { method: "POST", body });
    if (!response.ok) {
      const text = (await response.text()).trim();
      return response.status === 401 && text.startsWith("Access Denied") ? "User or password is wrong" : text.slice(0, 500);
    }
    current.value = { user: undefined, isRequired: false };
    return undefined;
  } catch {
    return "The coordinator does not answer";
  }
}

/** The document is loaded again, so that nothing of the user stays on the page. */
export async function logOut(): Promise<void> {
  await fetch(new URL("ui/logout", document.baseURI), { method: "POST" }).catch(() => undefined);
  location.reload();
}
