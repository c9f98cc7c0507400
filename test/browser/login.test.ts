/** Logging in and out of the web interface, in a real Chromium over HTTPS. Skipped without Chromium, as web.test.ts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificatePath } from "../support/certificates/certificates.ts";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";
import { type Program, startProgram } from "../support/programs/server-process.ts";
import { axeViolations, WebBrowser } from "../support/programs/web-browser.ts";

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the login page", () => {
  let folder: string;
  let server: Program;
  let browser: WebBrowser;
  let uri: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-login-"));
    writeFileSync(join(folder, "password.db"), "alice:$2y$08$H0ahCdm53zYAJuVXaIugL.T7iJipyHCj2QdacpdfKt94PQ28yaaM2\n");
    const properties = [
      "http-server.http.enabled=false",
      "http-server.https.enabled=true",
      "http-server.https.port=0",
      `http-server.https.keystore.path=${certificatePath("server")}`,
      "http-server.authentication.type=PASSWORD",
      `file.password-file=${join(folder, "password.db")}`,
      "node.workers=1",
    ];
    writeFileSync(join(folder, "config.properties"), properties.join("\n"));
    server = startProgram("server", ["--etc", folder], { environment: { HOME: folder } });
    uri = (await server.waitFor(/listens on (https:\S+);/))[1] ?? "";
    browser = await WebBrowser.start();
  });

  afterAll(async () => {
    await browser?.close();
    server?.kill("SIGKILL");
    await server?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it("lets a user in and out, and shows nothing to others", async () => {
    const { close, context, page } = await browser.open(uri, { acceptsAnyCertificate: true });
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel("User").fill("alice");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("User or password is wrong").waitFor();
    await page.getByLabel("Password").fill("secret");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor({ state: "detached" });
    await page.locator(".logged-in", { hasText: "alice" }).waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    expect(await axeViolations(page)).toEqual([]);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: "orrery-session", httpOnly: true, secure: true, sameSite: "Strict" });
    // A statement of the editor runs as the user.
    await page.goto(`${uri}/#/editor`);
    await page.locator(".cm-content").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("SELECT current_user");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.locator(".sql-grid, [role=grid]", { hasText: "alice" }).first().waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await page.evaluate(async () => (await fetch("/v1/query")).status)).toBe(401);
    await close();
  });
});
