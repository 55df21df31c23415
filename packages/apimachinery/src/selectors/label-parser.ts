import { FormatError } from '../errors/format-error.ts';
import { compareText } from '../errors/go-format.ts';
import { invalidValue } from '../errors/field-error.ts';
import { FieldPath } from '../errors/field-path.ts';
import { isQualifiedName } from '../validation/names.ts';
import type { LabelOperator } from './requirement.ts';
import { LabelRequirement } from './requirement.ts';

type TokenKind = ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(' | 'identifier' | 'end';
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** White space, operators and everything else; a NUL ends the text as it does in upstream's lexer. */
const lexemes = /[ \t\r\n]+|==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+/g;

function tokenize(source: string): Token[] {
  const nul = source.indexOf('\0');
  const tokens: Token[] = [];
  for (const [text] of (nul < 0 ? source : source.slice(0, nul)).matchAll(lexemes)) {
    if (/^[ \t\r\n]/.test(text)) continue;
    tokens.push({ kind: /^(?:==|!=|[=!(),<>]|in|notin)$/.test(text) ? (text as TokenKind) : 'identifier', text });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

const binaryOperators = new Map<TokenKind, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/**
 * The requirements of a label selector's text, in the order written.
 * @throws FormatError with upstream's text
 */
export function parseLabelRequirements(source: string): LabelRequirement[] {
  const tokens = tokenize(source);
  let position = 0;
  // Where a value or key is expected, `in` and `notin` are ordinary words.
  const asValue = (token: Token): Token =>
    token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  const raw = (at: number): Token => tokens[at] ?? { kind: 'end', text: '' };
  const peek = (): Token => asValue(raw(position));
  const next = (): Token => asValue(raw(position++));

  const requirements: LabelRequirement[] = [];
  for (;;) {
    const token = peek();
    if (token.kind === 'end') return requirements;
    if (token.kind !== 'identifier' && token.kind !== '!') {
      throw new FormatError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement());
    const separator = next();
    if (separator.kind === 'end') return requirements;
    if (separator.kind !== ',') throw new FormatError(`found '${separator.text}', expected: ',' or 'end of string'`);
    const following = peek();
    if (following.kind !== 'identifier' && following.kind !== '!') {
      throw new FormatError(`found '${following.text}', expected: identifier after ','`);
    }
  }

  function parseRequirement(): LabelRequirement {
    try {
      return parseOne();
    } catch (error) {
      if (error instanceof FormatError)
        throw new FormatError(`unable to parse requirement: ${error.message}`, { cause: error });
      throw error;
    }
  }

  function parseOne(): LabelRequirement {
    let token = next();
    const negated = token.kind === '!';
    if (negated) token = next();
    if (token.kind !== 'identifier') throw new FormatError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyErrors = isQualifiedName(key);
    if (keyErrors.length > 0) throw new FormatError(invalidValue(FieldPath.root, key, keyErrors.join('; ')).toString());
    const after = peek().kind;
    // An operator after `!key` is left for the caller to refuse.
    if (negated) return LabelRequirement.create(key, '!', []);
    if (after === 'end' || after === ',') return LabelRequirement.create(key, 'exists', []);
    const operatorToken = raw(position++);
    const operator = binaryOperators.get(operatorToken.kind);
    if (operator === undefined)
      throw new FormatError(`found '${operatorToken.text}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = operator === 'in' || operator === 'notin' ? parseValues() : [parseExactValue()];
    return LabelRequirement.create(key, operator, values);
  }

  function parseValues(): string[] {
    const open = next();
    if (open.kind !== '(') throw new FormatError(`found '${open.text}' expected: '('`);
    const first = peek();
    if (first.kind === ')') {
      next();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',')
      throw new FormatError(`found '${first.text}', expected: ',', ')' or identifier`);
    const values = parseList();
    next();
    return [...values].sort(compareText);
  }

  /** Up to, without, the closing parenthesis. An empty place between commas is the empty value. */
  function parseList(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = next();
      if (token.kind === 'identifier') {
        values.add(token.text);
        const following = peek();
        if (following.kind === ')') return values;
        if (following.kind !== ',') throw new FormatError(`found '${following.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.size === 0) values.add('');
        const following = peek().kind;
        if (following === ')') {
          values.add('');
          return values;
        }
        if (following === ',') values.add('');
      } else {
        throw new FormatError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  function parseExactValue(): string {
    const token = peek();
    if (token.kind === 'end' || token.kind === ',') return '';
    next();
    if (token.kind !== 'identifier') throw new FormatError(`found '${token.text}', expected: identifier`);
    return token.text;
  }
}
