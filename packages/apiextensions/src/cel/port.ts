import { createRequire } from 'node:module';
import type * as Library from '@marcbachmann/cel-js';
import type { CelNode, CelProblem } from './syntax.ts';

/** The library's nodes, as far as they are read. Macros stay as they were written. */
interface LibraryNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
}
type LibraryError = Error & { readonly code?: string; readonly summary?: string; readonly range?: { readonly start: number; readonly end: number } };

const expected = "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const require = createRequire(import.meta.url);
let environment: Library.Environment | undefined;

/** Parses an expression. The parser is loaded with the first one. */
export function parseExpression(source: string): CelNode | CelProblem {
  environment ??= new (require('@marcbachmann/cel-js') as typeof Library).Environment({
    enableOptionalTypes: true, limits: { maxAstNodes: 100_000, maxDepth: 250, maxListElements: 100_000, maxMapEntries: 100_000, maxCallArguments: 100 },
  });
  try {
    return convert(environment.parse(source).ast as unknown as LibraryNode, source);
  } catch (error) {
    return problemOf(error as LibraryError, source);
  }
}

function problemOf(error: LibraryError, source: string): CelProblem {
  const at = error.range?.start ?? 0;
  const summary = error.summary ?? error.message;
  if (summary === 'has() invalid argument') return { at, text: 'invalid argument to has() macro' };
  if (summary.endsWith('invalid predicate iteration variable')) return { at, text: 'argument is not an identifier' };
  const found = at >= source.length ? '<EOF>' : source.slice(at, Math.max(error.range?.end ?? 0, at + 1));
  if (error.code === 'unexpected_token') return { at, text: `Syntax error: mismatched input '${found}' ${expected}` };
  if (error.code === 'expected_token' || error.code === 'unexpected_character') return { at, text: `Syntax error: mismatched input '${found}' expecting <EOF>` };
  if (error.code === 'reserved_identifier') return { at, text: `reserved identifier: ${found}` };
  return { at, text: `Syntax error: ${summary}` };
}

/** Where an operator stands after its left side: what is between may be blank, closing parentheses and comments. */
function skip(source: string, from: number): number {
  return from + (/^(?:[\s)]|\/\/[^\n]*)*/.exec(source.slice(from))?.[0].length ?? 0);
}

function convert(node: LibraryNode, source: string): CelNode {
  const { op, start } = node;
  const children = node.args as readonly LibraryNode[];
  const child = (i: number): CelNode => convert(children[i] as LibraryNode, source);
  switch (op) {
    case 'value': return { kind: 'literal', at: start, value: node.args };
    case 'id': return { kind: 'name', at: start, name: node.args as string };
    case '.': case '.?': return { kind: 'field', at: skip(source, (children[0] as LibraryNode).end), of: child(0), name: (node.args as readonly unknown[])[1] as string, optional: op === '.?' };
    case '[]': case '[?]': return { kind: 'index', at: skip(source, (children[0] as LibraryNode).end), of: child(0), index: child(1), optional: op === '[?]' };
    case 'call': {
      const [name, args] = node.args as readonly [string, readonly LibraryNode[]];
      return { kind: 'call', at: source.indexOf('(', start + name.length), start, name, target: undefined, args: args.map((arg) => convert(arg, source)) };
    }
    case 'rcall': {
      const [name, target, args] = node.args as readonly [string, LibraryNode, readonly LibraryNode[]];
      const dot = skip(source, target.end);
      return { kind: 'call', at: source.indexOf('(', source.indexOf(name, dot) + name.length), start, name, target: convert(target, source), args: args.map((arg) => convert(arg, source)) };
    }
    case '!_': return { kind: 'unary', at: start, operator: '!', operand: convert(node.args as LibraryNode, source) };
    case '-_': return { kind: 'unary', at: start, operator: '-', operand: convert(node.args as LibraryNode, source) };
    case '?:': return { kind: 'choice', at: skip(source, (children[0] as LibraryNode).end), condition: child(0), yes: child(1), otherwise: child(2) };
    case 'list': return { kind: 'list', at: start, items: children.map((item) => convert(item, source)) };
    case 'map': return { kind: 'map', at: start, entries: (node.args as readonly (readonly [LibraryNode, LibraryNode])[]).map(([key, value]) => [convert(key, source), convert(value, source)]) };
    default: return { kind: 'binary', at: skip(source, (children[0] as LibraryNode).end), operator: op, left: child(0), right: child(1) };
  }
}
