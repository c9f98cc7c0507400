/** A folder of tables as two catalogs: `local` reads it as it is, `store` from a bucket that has the same files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, withCluster } from "../../../src/testing/index.ts";
import { S3Server } from "./s3-server.ts";

export class LakeCluster {
  readonly #cluster: Cluster;
  /** The bucket's server. */
  readonly s3: S3Server;

  private constructor(cluster: Cluster, s3: S3Server) {
    this.#cluster = cluster;
    this.s3 = s3;
  }

  /** `catalogs`: further ones, for the address of the store. */
  static async open(
    folder: string,
    catalogs: (endpoint: string) => Readonly<Record<string, Readonly<Record<string, string>>>> = () => ({}),
  ): Promise<LakeCluster> {
    const s3 = new S3Server({ bucket: "lake", region: "us-east-1", pageKeys: 100, accessKey: "A", secretKey: "B" });
    const endpoint = await s3.listen();
    upload(s3, folder, "");
    const cluster = await withCluster({
      http: false,
      catalogs: {
        ...catalogs(endpoint),
        local: { "connector.name": "files", "files.directory": folder },
        store: {
          "connector.name": "files",
          "files.directory": "s3://lake",
          "s3.endpoint": endpoint,
          "s3.path-style-access": "true",
          "s3.aws-access-key": "A",
          "s3.aws-secret-key": "B",
        },
      },
    });
    return new LakeCluster(cluster, s3);
  }

  /** Values as text. */
  async rows(sql: string, catalog = "local", schema = "default"): Promise<readonly (readonly unknown[])[]> {
    return (await this.#cluster.query(sql, { catalog, schema })).rows.map((row) =>
      row.map((value) => (value === null ? null : String(value as string))),
    );
  }

  async close(): Promise<void> {
    await this.#cluster.close();
    await this.s3.close();
  }
}

function upload(s3: S3Server, folder: string, path: string): void {
  for (const name of readdirSync(join(folder, path))) {
    const below = path === "" ? name : `${path}/${name}`;
    if (statSync(join(folder, below)).isDirectory()) {
      upload(s3, folder, below);
    } else {
      s3.put(below, readFileSync(join(folder, below)));
    }
  }
}
