/**
 * Enumerates the mutants of one source. A site's key names file, function, operator and the text that is changed. A change elsewhere in
 * the file therefore does not rename it.
 */
import {
  isExpressionStatement,
  isIdentifier,
  isPrivateIdentifier,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { blocksOf, innermost } from "./blocks.ts";
import { type Edit, textOf } from "./edit.ts";
import { equivalenceOf } from "./equivalent.ts";
import { isExcluded, isExcludedStatement } from "./excluded.ts";
import { operators } from "./operators.ts";
import { isClassLike, isFunctionLike } from "./operators/shapes.ts";

export interface Site {
  readonly key: string;
  readonly path: string;
  /** Class, method and named functions around the site: `QueryTracker.add`; empty at the top of a file. */
  readonly place: string;
  readonly operator: string;
  readonly weight: number;
  readonly edit: Edit;
  /** Index of the innermost block around it (`blocks.ts`); negative at the top of the file. */
  readonly block: number;
  /** Name of the rule by which no user can notice the change. */
  readonly equivalence: string | undefined;
}

const keyTextMax = 200;

export function sitesOf(source: SourceFile, path: string): readonly Site[] {
  const sites: Site[] = [];
  const blocks = blocksOf(source);
  const seen = new Map<string, number>();
  const propose = (node: Node, place: string): void => {
    for (const { name, weight, propose: edits } of operators) {
      for (const edit of edits(node, source)) {
        const text = `${source.text.slice(edit.start, edit.end)} => ${edit.text}`.replace(/\s+/g, " ").slice(0, keyTextMax);
        const key = `${path}#${place}/${name}/${text}`;
        const ordinal = (seen.get(key) ?? 0) + 1;
        seen.set(key, ordinal);
        const equivalence = equivalenceOf({ node, source, operator: name, edit });
        const block = innermost(blocks, edit);
        sites.push({ key: `${key}/${ordinal}`, path, place, operator: name, weight, edit, block, equivalence });
      }
    }
  };
  const walk = (node: Node, place: string): void => {
    if (isExcluded(node, source) || (isExpressionStatement(node) && isExcludedStatement(node.expression, source))) {
      return;
    }
    const name = nameOf(node, source);
    const inner = name === undefined ? place : place === "" ? name : `${place}.${name}`;
    propose(node, inner);
    node.forEachChild((child) => walk(child, inner));
  };
  source.forEachChild((child) => walk(child, ""));
  return sites;
}

/** Name of a class or function; a function without a name has that of its variable. */
function nameOf(node: Node, source: SourceFile): string | undefined {
  const { name } = node as { readonly name?: Node };
  if (isClassLike(node) || (isFunctionLike(node) && name !== undefined)) {
    return name === undefined ? undefined : textOf(name, source);
  }
  const isNamed = isVariableDeclaration(node) && (isIdentifier(node.name) || isPrivateIdentifier(node.name));
  return isNamed && node.initializer !== undefined && isFunctionLike(node.initializer) ? textOf(node.name, source) : undefined;
}
