import { expect, it } from "vitest";
import { WebSessions } from "../../../../src/server/security/web-sessions.ts";

const identity = { user: "alice", principal: "alice" };

it("gives a cookie that no script and no other site can use, until its end", () => {
  let nowMs = 0;
  const sessions = new WebSessions(60_000, () => nowMs);
  const header = sessions.begin(identity, { secure: true });
  expect(header).toMatch(/^orrery-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=60; Secure$/);
  const cookie = header.split(";")[0] ?? "";
  expect(sessions.begin(identity, { secure: false })).not.toContain("Secure");
  expect(sessions.find(`a=b; ${cookie}; c=d`)).toEqual(identity);
  expect(sessions.find(`${cookie}x`)).toBeUndefined();
  expect(sessions.find(`other-${cookie}`)).toBeUndefined();
  expect(sessions.find("orrery-session=__proto__")).toBeUndefined();
  expect(sessions.find(undefined)).toBeUndefined();
  nowMs = 60_000;
  expect(sessions.find(cookie)).toBeUndefined();
  nowMs = 0;
  expect(sessions.find(cookie)).toBeUndefined();
});

it("ends at logout", () => {
  const sessions = new WebSessions(60_000, () => 0);
  const cookie = sessions.begin(identity, { secure: true }).split(";")[0] ?? "";
  expect(sessions.end(cookie, { secure: true })).toBe("orrery-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure");
  expect(sessions.find(cookie)).toBeUndefined();
});

it("forgets the oldest of too many", () => {
  const sessions = new WebSessions(60_000, () => 0);
  const [first, second] = Array.from({ length: 10_001 }, () => sessions.begin(identity, { secure: true }));
  expect([sessions.find(first), sessions.find(second)]).toEqual([undefined, identity]);
});
