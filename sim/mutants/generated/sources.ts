/**
 * The engine's sources as syntax trees, and the type check of one changed file. The compiler keeps the program; a check replaces one file
 * and takes some milliseconds.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { API, type Snapshot } from "typescript/unstable/sync";
import type { SourceFile } from "typescript/unstable/ast";

/** Declarations that nothing reads any more are not what makes a mutant invalid: codes of `noUnusedLocals` and `noUnusedParameters`. */
const unusedCodes = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205]);

export class Sources {
  readonly #root: string;
  readonly #changed = new Map<string, string>();
  readonly #api: API;
  #snapshot: Snapshot;

  /** `root` holds `tsconfig.json`, the project of the engine. */
  constructor(root: string) {
    this.#root = root;
    this.#api = new API({ cwd: root, fs: { readFile: (file) => this.#changed.get(file) } });
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
  }

  /** Sorted paths from the root. */
  paths(): readonly string[] {
    return this.#program()
      .getSourceFileNames()
      .map((file) => relative(this.#root, file))
      .filter((path) => path.startsWith("src/"))
      .sort();
  }

  tree(path: string): SourceFile {
    const tree = this.#program().getSourceFile(join(this.#root, path));
    if (tree === undefined) {
      throw new Error(`the compiler does not know ${path}`);
    }
    return tree;
  }

  text(path: string): string {
    return readFileSync(join(this.#root, path), "utf8");
  }

  /** The first error of the changed file, with its code. Returns undefined if it compiles. */
  errorOf(path: string, text: string): string | undefined {
    const file = join(this.#root, path);
    this.#changed.set(file, text);
    try {
      this.#update(file);
      const program = this.#program();
      const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      const error = errors.find(({ code }) => !unusedCodes.has(code));
      return error === undefined ? undefined : `TS${error.code}: ${error.text}`;
    } finally {
      this.#changed.delete(file);
      this.#update(file);
    }
  }

  close(): void {
    this.#snapshot.dispose();
    this.#api.close();
  }

  #update(file: string): void {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [file] } });
    before.dispose();
  }

  #program(): NonNullable<ReturnType<Snapshot["getProjects"]>[number]>["program"] {
    const [project] = this.#snapshot.getProjects();
    if (project === undefined) {
      throw new Error(`${this.#root} holds no tsconfig.json`);
    }
    return project.program;
  }
}
