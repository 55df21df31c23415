import type { TokenKind } from './tokens.ts';

/**
 * CEL's grammar as data (cel-go parser/gen/CEL.g4), in the form that the reference's parser generator gives it: left
 * recursion is a loop, in which `precedence` decides who may go on.
 */
export type Item =
  | { readonly kind: 'token'; readonly token: TokenKind }
  | { readonly kind: 'anyOf'; readonly tokens: readonly TokenKind[] }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly precedence: number }
  | { readonly kind: 'optional'; readonly items: readonly Item[] }
  | {
      readonly kind: 'loop';
      readonly branches: readonly Branch[];
      /** At least once. */ readonly once: boolean;
      /** A comma may also be the last one, which is no part of the loop. */ readonly trailing: boolean;
    }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[] };
export interface Branch {
  readonly items: readonly Item[];
  /** What the rule must have been called with at most. */ readonly precedence: number;
}
export type RuleName =
  | 'start'
  | 'expr'
  | 'conditionalOr'
  | 'conditionalAnd'
  | 'relation'
  | 'calc'
  | 'unary'
  | 'member'
  | 'primary'
  | 'exprList'
  | 'listInit'
  | 'fieldInitializerList'
  | 'optField'
  | 'mapInitializerList'
  | 'escapeIdent'
  | 'optExpr'
  | 'literal';

const token = (kind: TokenKind): Item => ({ kind: 'token', token: kind });
const rule = (name: RuleName, precedence = 0): Item => ({ kind: 'rule', rule: name, precedence });
const optional = (...items: readonly Item[]): Item => ({ kind: 'optional', items });
const branch = (items: readonly Item[], precedence = Infinity): Branch => ({ items, precedence });
const loop = (...branches: readonly Branch[]): Item => ({ kind: 'loop', branches, once: false, trailing: false });
const loopOnce = (...items: readonly Item[]): Item => ({
  kind: 'loop',
  branches: [branch(items)],
  once: true,
  trailing: false,
});
const list = (...items: readonly Item[]): Item => ({
  kind: 'loop',
  branches: [branch([token(','), ...items])],
  once: false,
  trailing: true,
});
const choice = (...branches: readonly (readonly Item[])[]): Item => ({
  kind: 'choice',
  branches: branches.map((items) => branch(items)),
});
const leadingDot = optional(token('.'));

/** The rules. The order of branches is the reference's. */
export const grammar: Readonly<Record<RuleName, readonly Item[]>> = {
  start: [rule('expr'), token('eof')],
  expr: [rule('conditionalOr'), optional(token('?'), rule('conditionalOr'), token(':'), rule('expr'))],
  conditionalOr: [rule('conditionalAnd'), loop(branch([token('||'), rule('conditionalAnd')]))],
  conditionalAnd: [rule('relation'), loop(branch([token('&&'), rule('relation')]))],
  relation: [
    rule('calc'),
    loop(branch([{ kind: 'anyOf', tokens: ['==', '!=', 'in', '<', '<=', '>=', '>'] }, rule('relation', 2)], 1)),
  ],
  calc: [
    rule('unary'),
    loop(
      branch([{ kind: 'anyOf', tokens: ['*', '/', '%'] }, rule('calc', 3)], 2),
      branch([{ kind: 'anyOf', tokens: ['-', '+'] }, rule('calc', 2)], 1),
    ),
  ],
  unary: [choice([rule('member')], [loopOnce(token('!')), rule('member')], [loopOnce(token('-')), rule('member')])],
  member: [
    rule('primary'),
    loop(
      branch([token('.'), optional(token('?')), rule('escapeIdent')]),
      branch([token('.'), token('ident'), token('('), optional(rule('exprList')), token(')')]),
      branch([token('['), optional(token('?')), rule('expr'), token(']')]),
    ),
  ],
  primary: [
    choice(
      [leadingDot, token('ident')],
      [leadingDot, token('ident'), token('('), optional(rule('exprList')), token(')')],
      [token('('), rule('expr'), token(')')],
      [token('['), optional(rule('listInit')), optional(token(',')), token(']')],
      [token('{'), optional(rule('mapInitializerList')), optional(token(',')), token('}')],
      [
        leadingDot,
        token('ident'),
        loop(branch([token('.'), token('ident')])),
        token('{'),
        optional(rule('fieldInitializerList')),
        optional(token(',')),
        token('}'),
      ],
      [rule('literal')],
    ),
  ],
  exprList: [rule('expr'), loop(branch([token(','), rule('expr')]))],
  listInit: [rule('optExpr'), list(rule('optExpr'))],
  fieldInitializerList: [rule('optField'), token(':'), rule('expr'), list(rule('optField'), token(':'), rule('expr'))],
  optField: [optional(token('?')), rule('escapeIdent')],
  mapInitializerList: [rule('optExpr'), token(':'), rule('expr'), list(rule('optExpr'), token(':'), rule('expr'))],
  escapeIdent: [choice([token('ident')], [token('escaped')])],
  optExpr: [optional(token('?')), rule('expr')],
  literal: [
    choice(
      [optional(token('-')), token('int')],
      [token('uint')],
      [optional(token('-')), token('float')],
      [token('string')],
      [token('bytes')],
      [token('true')],
      [token('false')],
      [token('null')],
    ),
  ],
};

/** Tokens in the order in which messages list them, with their names there. */
const names: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['eof', '<EOF>'],
  ...(
    [
      '==',
      '!=',
      'in',
      '<',
      '<=',
      '>=',
      '>',
      '&&',
      '||',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '.',
      ',',
      '-',
      '!',
      '?',
      ':',
      '+',
      '*',
      '/',
      '%',
      'true',
      'false',
      'null',
    ] as const
  ).map((kind): [TokenKind, string] => [kind, `'${kind}'`]),
  ['float', 'NUM_FLOAT'],
  ['int', 'NUM_INT'],
  ['uint', 'NUM_UINT'],
  ['string', 'STRING'],
  ['bytes', 'BYTES'],
  ['ident', 'IDENTIFIER'],
  ['escaped', 'ESC_IDENTIFIER'],
]);

/** A set of tokens as messages list it. */
export function tokensText(tokens: ReadonlySet<TokenKind>): string {
  const listed = [...names].filter(([kind]) => tokens.has(kind)).map(([, name]) => name);
  return listed.length === 1 ? (listed[0] ?? '') : `{${listed.join(', ')}}`;
}

/** Tokens that can come first of some items; `empty` if the items may also be nothing. */
export interface First {
  readonly tokens: ReadonlySet<TokenKind>;
  readonly empty: boolean;
}

const known = new WeakMap<readonly Item[], First>();

export function firstOf(items: readonly Item[]): First {
  let first = known.get(items);
  if (first === undefined) known.set(items, (first = compute(items)));
  return first;
}

function compute(items: readonly Item[]): First {
  const tokens = new Set<TokenKind>();
  for (const item of items) {
    const { tokens: some, empty } = firstOfItem(item);
    for (const one of some) tokens.add(one);
    if (!empty) return { tokens, empty: false };
  }
  return { tokens, empty: true };
}

function firstOfItem(item: Item): First {
  switch (item.kind) {
    case 'token':
      return { tokens: new Set([item.token]), empty: false };
    case 'anyOf':
      return { tokens: new Set(item.tokens), empty: false };
    case 'rule':
      return firstOf(grammar[item.rule]);
    case 'optional':
      return { tokens: firstOf(item.items).tokens, empty: true };
    case 'loop':
    case 'choice':
      return {
        tokens: new Set(item.branches.flatMap(({ items }) => [...firstOf(items).tokens])),
        empty: item.kind === 'loop' && !item.once,
      };
  }
}
