/**
 * The storage of a coordinator that shares a directory with another one: the directory is on a server of files, the rest on the machine's
 * own disk. A machine may lose its connection to the server. Requests wait then, and are carried out later.
 */
import type { Storage } from "../../src/ports/storage.ts";
import type { Undo } from "../world/afflicted.ts";
import { type FaultDefinition, nodeOnly, type OneNode } from "./fault.ts";

/** The connection of one machine to the server. */
export class DirectoryLink {
  #cuts = 0;
  #waiting: (() => void)[] = [];

  cut(): Undo {
    this.#cuts += 1;
    return () => {
      this.#cuts -= 1;
      if (this.#cuts === 0) {
        for (const go of this.#waiting.splice(0)) {
          go();
        }
      }
    };
  }

  /** Resolves when the machine reaches the server. */
  pass(): Promise<void> {
    return this.#cuts === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

export interface SharedDirectory {
  /** Name of the directory in the node's storage. */
  readonly folder: string;
  readonly storage: Storage;
  readonly link: DirectoryLink;
}

export function withSharedDirectory(own: Storage, { folder, link, storage }: SharedDirectory): Storage {
  const at = async <T>(path: string, work: (storage: Storage) => Promise<T>): Promise<T> => {
    if (path !== folder && !path.startsWith(`${folder}/`)) {
      return work(own);
    }
    await link.pass();
    return work(storage);
  };
  return {
    list: (path) => at(path, (one) => one.list(path)),
    stat: (path) => at(path, (one) => one.stat(path)),
    read: (path, offset, length) => at(path, (one) => one.read(path, offset, length)),
    write: (path, bytes) => at(path, (one) => one.write(path, bytes)),
    append: (path, bytes) => at(path, (one) => one.append(path, bytes)),
    rename: (from, to) => at(from, (one) => one.rename(from, to)),
    remove: (path) => at(path, (one) => one.remove(path)),
    sync: (path) => at(path, (one) => one.sync(path)),
  };
}

/** The coordinator that is the owner loses the connection. */
export const directoryCut: FaultDefinition<OneNode> = {
  oneIn: 24,
  countMax: 1,
  draw: () => ({ node: "c" }),
  describe: ({ node }) => node,
  places: nodeOnly,
  strike: ({ node }, { target }) => target.cutOff(node),
};
