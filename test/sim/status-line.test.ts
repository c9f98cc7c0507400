import { describe, expect, test } from "vitest";
import { StatusLine } from "../../sim/status-line.ts";

function written(isTTY: boolean): { readonly texts: string[]; readonly line: StatusLine; readonly clock: { ms: number } } {
  const texts: string[] = [];
  const clock = { ms: 1000 };
  const line = new StatusLine({ stream: { isTTY, write: (text) => texts.push(text) }, now: () => clock.ms });
  return { texts, line, clock };
}

describe("a status line", () => {
  test("writes over itself at a terminal, and leaves nothing", () => {
    const { texts, line } = written(true);
    line.show(() => "1 of 2");
    line.showCount("things")(1200, 2000);
    line.clear();
    expect(texts).toEqual(["\r1 of 2\u001b[K", "\r1,200/2,000 things\u001b[K", "\r\u001b[K"]);
  });

  test("says a plain line once a minute elsewhere, and makes no other text", () => {
    const { texts, line, clock } = written(false);
    let made = 0;
    for (let second = 0; second < 150; second++) {
      clock.ms = 1000 + second * 1000;
      line.show(() => `${second} of 150 (${++made})`);
    }
    line.clear();
    expect(texts).toEqual(["60 of 150 (1)\n", "120 of 150 (2)\n"]);
  });

  test("tells what is left as if the rest took as long as what is done", () => {
    const { line, clock } = written(true);
    clock.ms += 30_000;
    expect(line.secondsLeft(3, 10)).toBe(70);
  });
});
