/** Who sends a request, by the identity that the edge has proved, the User header, and rules of principals. */
import { expect, it } from "vitest";
import { requestUser } from "../../../../src/coordinator/resources/request-user.ts";
import type { Headers } from "../../../../src/ports/network.ts";
import { withIdentity } from "../../../../src/protocol/http/identity.ts";
import { RuleAccessControl } from "../../../../src/security/rule-access-control.ts";
import { parseAccessRules } from "../../../../src/security/rules.ts";

const access = new RuleAccessControl(
  parseAccessRules({
    principals: [{ principal: "group@example\\.net", user: "alice|bob|dora", allow: true }],
    impersonation: [{ original_user: "(group|alice|bob)", new_user: "alice|bob|guest" }],
  }),
);

/** The user, or the refusal. */
function userOf(headers: Headers): unknown {
  try {
    return requestUser(headers, access).user;
  } catch (error) {
    return (error as Error).message;
  }
}

const group = { user: "group", principal: "group@example.net" };

it("a principal is a user whom its rules name, and no other", () => {
  expect(userOf(withIdentity({ "x-trino-user": "alice" }, group))).toBe("alice");
  expect(userOf(withIdentity({ "x-trino-user": "guest" }, group))).toBe(
    "Access Denied: Principal group@example.net cannot become user guest",
  );
  expect(userOf(withIdentity({}, group))).toBe("Access Denied: Principal group@example.net cannot become user group");
  expect(userOf(withIdentity({ "x-trino-user": "dora" }, group))).toBe("Access Denied: User group cannot impersonate user dora");
});

it("a client without credentials has no principal", () => {
  expect(userOf({ "x-trino-user": "alice" })).toBe("Access Denied: Principal null cannot become user alice");
});

it("the rules are about whom the session began with, not whom it has become", () => {
  expect(userOf(withIdentity({ "x-trino-user": "guest", "x-trino-original-user": "alice" }, group))).toBe("guest");
});
