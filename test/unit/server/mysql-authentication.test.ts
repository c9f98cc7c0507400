/**
 * Passwords of MySQL without TLS, to a server that plays "caching_sha2_password" and "sha256_password" of MySQL's documentation: it asks
 * for the password under the key that it sends.
 */
import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { DatabaseAddress } from "../../../src/ports/databases.ts";
import { connectMysql } from "../../../src/server/databases/mysql.ts";

const scramble = Buffer.from("abcdefghijklmnopqrst");
const password = "hush-hush";
const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

function packet(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = sequence;
  return Buffer.concat([header, payload]);
}

/** "Protocol::HandshakeV10", with the capabilities of 4.1, secure connections and plugins. */
function greeting(method: string): Buffer {
  const fixed = Buffer.alloc(19);
  const capabilities = 0x0008_8200;
  fixed.writeUInt16LE(capabilities & 0xffff, 0);
  fixed[2] = 45;
  fixed.writeUInt16LE(capabilities >>> 16, 5);
  fixed[7] = 21;
  return Buffer.concat([
    Buffer.from("\n8.0.36\0"),
    Buffer.from([1, 0, 0, 0]),
    scramble.subarray(0, 8),
    Buffer.of(0),
    fixed.subarray(0, 18),
    scramble.subarray(8),
    Buffer.from(`\0${method}\0`),
  ]);
}

let server: Server;
const sockets = new Set<Socket>();

/** What the client sent after the request for the method; resolves the address of the server. */
async function playing(method: "caching_sha2_password" | "sha256_password", sent: Buffer[]): Promise<DatabaseAddress> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write(packet(0, greeting(method)));
    let step = 0;
    socket.on("data", (bytes) => {
      const sequence = (bytes[3] as number) + 1;
      const payload = bytes.subarray(4);
      step++;
      if (step === 1) {
        socket.write(packet(sequence, Buffer.concat([Buffer.of(0xfe), Buffer.from(`${method}\0`), scramble, Buffer.of(0)])));
        return;
      }
      sent.push(Buffer.from(payload));
      if (method === "caching_sha2_password" && step === 2) {
        socket.write(packet(sequence, Buffer.of(1, 4)));
      } else if (payload.length === 1) {
        socket.write(packet(sequence, Buffer.concat([Buffer.of(1), Buffer.from(publicKey)])));
      } else {
        socket.write(packet(sequence, Buffer.from("00000002000000", "hex")));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    kind: "mysql",
    host: "127.0.0.1",
    port,
    database: "",
    user: "ann",
    password,
    tls: { mode: "disable" },
    connectTimeoutMs: 10_000,
  };
}

afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  sockets.forEach((socket) => socket.destroy());
  sockets.clear();
  await closed;
});

it.each(["caching_sha2_password", "sha256_password"] as const)(
  "are sent under the key of a server of %s if that is allowed",
  async (method) => {
    const sent: Buffer[] = [];
    const address = await playing(method, sent);
    await expect(connectMysql(address)).rejects.toThrow("public key retrieval is not allowed");
    // Neither a request for the key nor anything under it.
    expect(sent.filter(({ length }) => length === 1 || length > 100)).toEqual([]);
    const connection = await connectMysql({ ...address, allowsServerKey: true });
    connection.close();
    const clear = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, sent.at(-1) as Buffer);
    expect(Buffer.from(clear.map((byte, index) => byte ^ (scramble[index % 20] as number))).toString()).toBe(`${password}\0`);
  },
);
