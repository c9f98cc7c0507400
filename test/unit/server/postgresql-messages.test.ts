/** Messages of a server of PostgreSQL: whole and well-formed ones are passed on, and nothing else reaches the client library. */
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { PostgresqlMessages } from "../../../src/server/databases/postgresql-messages.ts";

function message(type: string, body: Buffer | string = ""): Buffer {
  const bytes = Buffer.from(body as string, "latin1");
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length + 4);
  return Buffer.concat([Buffer.from(type, "latin1"), length, bytes]);
}

/** Of one column of the name `a`. */
const description = message("T", `\0\x01a\0${"\0".repeat(18)}`);
const row = message("D", "\0\x01\0\0\0\x01x");

/** What has passed, and why the stream has ended. */
async function passed(chunks: readonly Buffer[]): Promise<{ readonly bytes: Buffer; readonly reason: string | undefined }> {
  const stream = new PassThrough();
  const out: Buffer[] = [];
  let reason: string | undefined;
  stream.on("error", (error) => {
    reason = error.message;
  });
  new PostgresqlMessages(stream).on("data", (bytes: Buffer) => out.push(bytes));
  for (const chunk of chunks) {
    stream.write(chunk);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return { bytes: Buffer.concat(out), reason };
}

it("passes whole messages on, however they are cut", async () => {
  const all = Buffer.concat([
    message("R", "\0\0\0\0"),
    message("Z", "I"),
    description,
    row,
    row,
    message("C", "SELECT 2\0"),
    message("Z", "I"),
  ]);
  for (const size of [1, 2, 7, all.length]) {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.subarray(index * size, (index + 1) * size));
    expect(await passed(chunks)).toEqual({ bytes: all, reason: undefined });
  }
});

it.each([
  ["a length beyond the message", Buffer.concat([Buffer.from("Z"), Buffer.from([0, 1, 0, 0])]), "length is 65536 bytes"],
  ["a length below its own", Buffer.concat([Buffer.from("C"), Buffer.from([0, 0, 0, 0])]), "length is 0 bytes"],
  ["a row of more than 256 MB", Buffer.concat([Buffer.from("D"), Buffer.from([0x7f, 0xff, 0xff, 0xff])]), "length is 2147483647 bytes"],
  ["another type", message("?"), "type is unknown"],
  ["COPY", message("G", "\0\0\0"), "was not asked for"],
  ["a value beyond its row", message("D", "\0\x01\0\0\0\x09x"), "wrong length"],
  ["a negative length of a value", message("D", "\0\x01\xff\xff\xff\xfe"), "negative length"],
  ["values without columns", message("D", "\0\x02\xff\xff\xff\xff\xff\xff\xff\xff"), "2 values for 1 columns"],
  ["an error without an end", message("E", "SERROR\0Mwrong"), "has no end"],
  ["an unknown authentication", message("R", "\0\0\0\x63"), "unknown kind 99"],
  ["a tag without an end", message("C", "SELECT 1"), "has no end"],
  ["a description of more columns", message("T", "\0\x02a\0"), "no end"],
])("ends the connection for %s", async (_, bytes, expected) => {
  const { bytes: before, reason } = await passed([description, bytes]);
  expect(before).toEqual(description);
  expect(reason).toContain("the server sent a malformed message");
  expect(reason).toContain(expected);
});
