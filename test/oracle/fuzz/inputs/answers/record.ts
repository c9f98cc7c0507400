/**
 * Records the answers of real servers for the fuzzers: the statements of the fuzzers go through a proxy to a server of this machine, which
 * has to be installed.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { startMariadb } from "../../../../support/programs/mariadb.ts";
import { startPostgresql } from "../../../../support/programs/postgresql.ts";
import { withCluster } from "../../../../../src/testing/index.ts";
import { mysqlCatalog, password, postgresqlCatalog } from "./catalogs.ts";
import { type RecordedMessage, withoutDrawnNames, writeRecorded } from "./recorded.ts";
import { databaseStatements, mysqlSetup, postgresqlSetup } from "./statements.ts";

/** Takes what both sides say of one connection. */
interface Listener {
  client(bytes: Buffer): void;
  server(bytes: Buffer): void;
}

type Notes = Map<string, RecordedMessage[]>;

const postgresqlHidden = "Z3s";

function listenToPostgresql(notes: Notes): Listener {
  let key = "";
  let isNew = !notes.has("");
  let [asked, answered] = [Buffer.alloc(0), Buffer.alloc(0)];
  let hasBegun = false;
  const begin = (statement: string): void => {
    key = withoutDrawnNames(statement);
    isNew = !notes.has(key);
  };
  return {
    client: (bytes) => {
      asked = Buffer.concat([asked, bytes]);
      for (;;) {
        const header = hasBegun ? 5 : 4;
        const length = asked.length < header ? Number.POSITIVE_INFINITY : asked.readInt32BE(header - 4) + header - 4;
        if (asked.length < length) {
          return;
        }
        const type = hasBegun ? asked.toString("latin1", 0, 1) : "";
        const payload = asked.subarray(header, length);
        hasBegun = true;
        if (type === "Q") {
          begin(payload.toString("utf8", 0, payload.length - 1));
        } else if (type === "P") {
          const start = payload.indexOf(0) + 1;
          begin(payload.toString("utf8", start, payload.indexOf(0, start)));
        }
        asked = asked.subarray(length);
      }
    },
    server: (bytes) => {
      answered = Buffer.concat([answered, bytes]);
      while (answered.length >= 5 && answered.length > answered.readInt32BE(1)) {
        const length = answered.readInt32BE(1) + 1;
        const type = answered.toString("latin1", 0, 1);
        if (isNew && !postgresqlHidden.includes(type)) {
          notes.set(key, [...(notes.get(key) ?? []), { type, payload: Buffer.from(answered.subarray(5, length)) }]);
        }
        answered = answered.subarray(length);
      }
    },
  };
}

function listenToMysql(notes: Notes): Listener {
  let key = "";
  let isNew = !notes.has("");
  let [asked, answered] = [Buffer.alloc(0), Buffer.alloc(0)];
  let hasBegun = false;
  return {
    client: (bytes) => {
      asked = Buffer.concat([asked, bytes]);
      while (asked.length >= 4 && asked.length >= asked.readUIntLE(0, 3) + 4) {
        const length = asked.readUIntLE(0, 3) + 4;
        if (hasBegun) {
          key = withoutDrawnNames(asked.toString("utf8", 5, length));
          isNew = !notes.has(key);
        }
        hasBegun = true;
        asked = asked.subarray(length);
      }
    },
    server: (bytes) => {
      answered = Buffer.concat([answered, bytes]);
      while (answered.length >= 4 && answered.length >= answered.readUIntLE(0, 3) + 4) {
        const length = answered.readUIntLE(0, 3) + 4;
        if (isNew) {
          notes.set(key, [...(notes.get(key) ?? []), { type: "", payload: Buffer.from(answered.subarray(4, length)) }]);
        }
        answered = answered.subarray(length);
      }
    },
  };
}

async function proxyTo(port: number, listen: () => Listener): Promise<{ readonly port: number; close(): void }> {
  const open = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    const listener = listen();
    for (const [one, other, note] of [
      [near, far, listener.client],
      [far, near, listener.server],
    ] as const) {
      open.add(one);
      one.on("data", (bytes: Buffer) => {
        note(bytes);
        other.write(bytes);
      });
      one.on("error", () => other.destroy());
      one.on("close", () => other.end());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => {
      open.forEach((socket) => socket.destroy());
      proxy.close();
    },
  };
}

/** Returns how many statements of the server are recorded. */
export async function record(kind: "postgresql" | "mysql"): Promise<number> {
  const notes: Notes = new Map();
  const isPostgresql = kind === "postgresql";
  const { port, close } = isPostgresql ? await preparedPostgresql() : await preparedMysql();
  const proxy = await proxyTo(port, () => (isPostgresql ? listenToPostgresql(notes) : listenToMysql(notes)));
  const catalog = { ...(isPostgresql ? postgresqlCatalog(proxy.port) : mysqlCatalog(proxy.port)) };
  const cluster = await withCluster({ workers: 0, http: false, catalogs: { far: catalog, tpch: { "connector.name": "tpch" } } });
  try {
    for (const sql of databaseStatements) {
      await cluster.query(sql);
    }
  } finally {
    await cluster.close();
    proxy.close();
    await close();
  }
  writeRecorded(
    kind,
    [...notes].map(([statement, messages]) => ({ statement, messages })),
  );
  return notes.size - 1;
}

async function preparedPostgresql(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = await startPostgresql();
  server.psql(postgresqlSetup);
  return server;
}

async function preparedMysql(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = await startMariadb();
  server.run(`${mysqlSetup} CREATE USER tester IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO tester;`);
  return server;
}
