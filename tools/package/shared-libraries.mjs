/**
 * Large libraries lie once in the package, in the files that the server's programs have (tools/programs/build.mjs). What users import takes
 * them from there.
 */
import { createRequire } from "node:module";
import { libraries } from "../programs/build.mjs";

const namespace = "shared-library";

/** The files are expressions: functions of the parameters that a CommonJS module has. Programs and libraries lie in folders beside them. */
const loaderOf = (name, exported) => `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const folder = new URL(/\\/(chunks|lib)\\/[^/]*$/.test(import.meta.url) ? "../programs/" : "./programs/", import.meta.url);
const filename = fileURLToPath(new URL("${name}.cjs", folder));
const wrapper = new Script(readFileSync(filename, "latin1"), { filename }).runInThisContext();
const loaded = { exports: {} };
wrapper(loaded, loaded.exports, createRequire(filename), filename, dirname(filename));
export default loaded.exports;
export const { ${exported.join(", ")} } = loaded.exports;
`;

export function sharedLibraries(root) {
  const require = createRequire(`${root}/package.json`);
  return {
    name: "shared-libraries",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(${libraries.join("|")})$`) }, ({ path, importer }) =>
        importer.includes("node_modules") ? undefined : { path, namespace },
      );
      build.onLoad({ filter: /./, namespace }, ({ path }) => {
        const exported = Object.keys(require(path)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
        return { contents: loaderOf(path, exported), loader: "js", resolveDir: root };
      });
    },
  };
}
