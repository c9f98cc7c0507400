/**
 * The type declarations of the package: what the entries export, and what that mentions, in one file. The compiler's declarations of all
 * sources would be hundreds of files, and would bring the types of bundled packages along.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseSync } from "rolldown/utils";

/** `entries`: source by name, as `{ index: "src/embedded/index.ts" }`. Writes NAME.d.ts for each, and types.d.ts, into the folder. */
export function writeTypes({ root, entries, folder }) {
  const emitted = mkdtempSync(join(tmpdir(), "orrery-types-"));
  try {
    emit(root, emitted);
    const modules = new Modules(emitted);
    const rolled = new Rolled(modules);
    const exported = Object.entries(entries).map(([name, source]) => [name, rolled.entry(source.replace(/\.ts$/, ".d.ts"))]);
    writeFileSync(join(folder, "types.d.ts"), rolled.text());
    for (const [name, names] of exported) {
      writeFileSync(join(folder, `${name}.d.ts`), entryText(names));
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

function emit(root, outDir) {
  const flags = ["-p", "tsconfig.package.json", "--outDir", outDir];
  // Errors are of declarations that cannot be named (TS4023), far from the public types: a declaration that is needed and missing is found
  // later. All other errors are found by the type check of the project.
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/.bin/tsc"), ...flags], { cwd: root, encoding: "utf8" });
  const others = stdout.split("\n").filter((line) => /error TS/.test(line) && !/error TS4023/.test(line));
  if (others.length > 0) {
    throw new Error(`the declarations could not be made:\n${others.join("\n")}`);
  }
}

/** The declaration files of the compiler, parsed. */
class Modules {
  #folder;
  #parsed = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  get(path) {
    let found = this.#parsed.get(path);
    if (found === undefined) {
      found = parseModule(path, readFileSync(join(this.#folder, path), "utf8"));
      this.#parsed.set(path, found);
    }
    return found;
  }

  /** All exported names of a module, with those of `export *`. */
  exportedNames(path) {
    const { exports, stars } = this.get(path);
    return [...new Set([...exports.keys(), ...stars.flatMap((star) => this.exportedNames(star))])];
  }

  /** Where an exported name is declared; undefined if the module does not export it. */
  declarationOf(path, name) {
    const module = this.get(path);
    const own = module.exports.get(name);
    if (own !== undefined) {
      return own.from === undefined ? this.resolve(path, own.name) : this.declarationOf(own.from, own.name);
    }
    return module.stars.map((star) => this.declarationOf(star, name)).find((one) => one !== undefined);
  }

  /** What a name within a module means; undefined for a name of the language. */
  resolve(path, name) {
    const module = this.get(path);
    if (module.declarations.has(name)) {
      return { path, name };
    }
    const imported = module.imports.get(name);
    if (imported === undefined) {
      return undefined;
    }
    if (imported.from === undefined) {
      throw new Error(`${path}: the public types name ${name} of the package '${imported.source}'`);
    }
    return this.declarationOf(imported.from, imported.name);
  }
}

function parseModule(path, text) {
  const { program, errors } = parseSync(path, text, { lang: "dts", sourceType: "module" });
  if (errors.length > 0) {
    throw new Error(`${path}: ${errors[0].message}`);
  }
  const module = { path, text, imports: new Map(), exports: new Map(), stars: [], declarations: new Map() };
  let end = 0;
  for (const node of program.body) {
    take(module, node, text.slice(end, node.start));
    end = node.end;
  }
  return module;
}

function take(module, node, gap) {
  const from = node.source === null || node.source === undefined ? undefined : targetOf(module.path, node.source.value);
  switch (node.type) {
    case "ImportDeclaration":
      for (const specifier of node.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
        module.imports.set(specifier.local.name, { from, name, source: node.source.value });
      }
      return;
    case "ExportAllDeclaration":
      module.stars.push(from);
      return;
    case "ExportNamedDeclaration":
      if (node.declaration !== null) {
        declare(module, node.declaration, gap);
        module.exports.set(declaredName(node.declaration), { name: declaredName(node.declaration) });
      }
      for (const { local, exported } of node.specifiers) {
        module.exports.set(nameOf(exported), { from, name: nameOf(local) });
      }
      return;
    default:
      declare(module, node, gap);
  }
}

function declare(module, node, gap) {
  const name = declaredName(node);
  const comment = gap.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/)?.[0].trimEnd();
  // Overloads of a function are several statements.
  const parts = module.declarations.get(name) ?? [];
  module.declarations.set(name, [...parts, { node, comment }]);
}

function declaredName(node) {
  return node.type === "VariableDeclaration" ? node.declarations[0].id.name : node.id.name;
}

function importedFrom(path, source) {
  const target = targetOf(path, source);
  if (target === undefined) {
    throw new Error(`${path}: the public types name a type of the package '${source}'`);
  }
  return target;
}

function nameOf(node) {
  return node.type === "Literal" ? node.value : node.name;
}

/** Undefined for a package. */
function targetOf(path, source) {
  return source.startsWith(".") ? relative(".", join(dirname(path), source)).replace(/\.ts$/, ".d.ts") : undefined;
}

/** What in a declaration may mean something outside of it: identifiers, and `import("...").Name`. Each with its place. */
function* references(node) {
  if (Array.isArray(node)) {
    for (const one of node) {
      yield* references(one);
    }
    return;
  }
  if (node === null || typeof node !== "object" || typeof node.type !== "string") {
    return;
  }
  if (node.type === "Identifier") {
    // A parameter's type belongs to its node.
    yield { name: node.name, start: node.start, end: node.start + node.name.length };
  }
  if (node.type === "TSImportType") {
    yield { name: node.qualifier.name, source: node.source.value, start: node.start, end: node.qualifier.end };
    yield* references(node.typeArguments);
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    if (!isOwnName(node, key)) {
      yield* references(value);
    } else if (typeof value?.typeAnnotation === "object") {
      yield* references(value.typeAnnotation);
    }
  }
}

const ownNames = {
  TSTypeParameter: ["name"],
  TSMappedType: ["key"],
  TSQualifiedName: ["right"],
  TSNamedTupleMember: ["label"],
  TSTypePredicate: ["parameterName"],
  TSInterfaceDeclaration: ["id"],
  TSTypeAliasDeclaration: ["id"],
  TSEnumMember: ["id"],
  ClassDeclaration: ["id"],
  TSDeclareFunction: ["id"],
};

function isOwnName(node, key) {
  if (key === "key" && !node.computed && node.type !== "TSMappedType") {
    return true;
  }
  if (key === "property" && node.type === "MemberExpression" && !node.computed) {
    return true;
  }
  if (
    (key === "params" || key === "parameters") &&
    node.type !== "TSTypeParameterDeclaration" &&
    node.type !== "TSTypeParameterInstantiation"
  ) {
    return false;
  }
  return (ownNames[node.type] ?? []).includes(key);
}

/** The declarations that the entries need, each once, under names that do not collide. */
class Rolled {
  #modules;
  /** By `path#name`. */
  #chosen = new Map();
  #names = new Set();

  constructor(modules) {
    this.#modules = modules;
  }

  /** Adds what an entry exports. Returns the names, each with the declaration that it stands for. */
  entry(path) {
    return this.#modules.exportedNames(path).map((name) => {
      const found = this.#modules.declarationOf(path, name);
      if (found === undefined) {
        throw new Error(`${path} exports ${name}, which is not declared`);
      }
      return { name, ...this.#add(found) };
    });
  }

  #add({ path, name }) {
    const id = `${path}#${name}`;
    const known = this.#chosen.get(id);
    if (known !== undefined) {
      return known;
    }
    const parts = this.#modules.get(path).declarations.get(name);
    const one = { path, unique: this.#unique(name), parts, isValue: parts.some(({ node }) => !/^TS(Interface|TypeAlias)/.test(node.type)) };
    this.#chosen.set(id, one);
    for (const { node } of parts) {
      for (const reference of references(node)) {
        this.#target(path, node, reference);
      }
    }
    return one;
  }

  #target(path, node, { name, source }) {
    if (source === undefined && typeParametersOf(node).has(name)) {
      return undefined;
    }
    const found = source === undefined ? this.#modules.resolve(path, name) : this.#modules.declarationOf(importedFrom(path, source), name);
    return found === undefined ? undefined : this.#add(found);
  }

  #unique(name) {
    let unique = name;
    for (let number = 2; this.#names.has(unique); number++) {
      unique = `${name}${number}`;
    }
    this.#names.add(unique);
    return unique;
  }

  text() {
    const declarations = [...this.#chosen.values()].map((one) => this.#textOf(one));
    const names = [...this.#chosen.values()].map(({ unique, isValue }) => `${isValue ? "" : "type "}${unique}`).sort();
    return `/// <reference lib="esnext.disposable" />\n${declarations.join("\n")}\nexport { ${names.join(", ")} };\n`;
  }

  #textOf({ path, unique, parts }) {
    const { text } = this.#modules.get(path);
    return parts
      .map(({ node, comment }) => {
        const edits = [...this.#renames(path, node), ...ownNameEdit(node, unique)].sort((a, b) => b.start - a.start);
        let body = text.slice(node.start, node.end);
        for (const { start, end, name } of edits) {
          body = body.slice(0, start - node.start) + name + body.slice(end - node.start);
        }
        return `${comment === undefined ? "" : `${comment}\n`}${/^(declare|interface|type)\b/.test(body) ? body : `declare ${body}`}`;
      })
      .join("\n");
  }

  #renames(path, node) {
    return [...references(node)].flatMap((reference) => {
      const target = this.#target(path, node, reference);
      const { name, source, start, end } = reference;
      return target === undefined || (source === undefined && target.unique === name) ? [] : [{ start, end, name: target.unique }];
    });
  }
}

function ownNameEdit(node, unique) {
  const id = node.type === "VariableDeclaration" ? node.declarations[0].id : node.id;
  const end = id.start + id.name.length;
  return id.name === unique ? [] : [{ start: id.start, end, name: unique }];
}

function typeParametersOf(node) {
  return new Set((node.typeParameters?.params ?? []).map(({ name }) => name.name));
}

function entryText(names) {
  const specifiers = names.map(
    ({ name, unique, isValue }) => `  ${isValue ? "" : "type "}${unique === name ? name : `${unique} as ${name}`},\n`,
  );
  return `export {\n${specifiers.sort().join("")}} from "./types.js";\n`;
}
