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
  return new LabelParser(tokenize(source)).requirements();
}

/** A recursive descent over the tokens (labels.Parser of apimachinery/pkg/labels/selector.go). */
class LabelParser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  requirements(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return requirements;
      if (!beginsRequirement(token))
        throw new FormatError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') throw new FormatError(`found '${separator.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (!beginsRequirement(following))
        throw new FormatError(`found '${following.text}', expected: identifier after ','`);
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#bareRequirement();
    } catch (error) {
      if (error instanceof FormatError)
        throw new FormatError(`unable to parse requirement: ${error.message}`, { cause: error });
      throw error;
    }
  }

  #bareRequirement(): LabelRequirement {
    let token = this.#next();
    const negated = token.kind === '!';
    if (negated) token = this.#next();
    if (token.kind !== 'identifier') throw new FormatError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyErrors = isQualifiedName(key);
    if (keyErrors.length > 0) throw new FormatError(invalidValue(FieldPath.root, key, keyErrors.join('; ')).toString());
    const after = this.#peek().kind;
    // An operator after `!key` is left for the caller to refuse.
    if (negated) return LabelRequirement.create(key, '!', []);
    if (after === 'end' || after === ',') return LabelRequirement.create(key, 'exists', []);
    const operatorToken = this.#nextOperator();
    const operator = binaryOperators.get(operatorToken.kind);
    if (operator === undefined)
      throw new FormatError(`found '${operatorToken.text}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return LabelRequirement.create(key, operator, values);
  }

  /** `(a, b)`, sorted. */
  #values(): string[] {
    const open = this.#next();
    if (open.kind !== '(') throw new FormatError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#next();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',')
      throw new FormatError(`found '${first.text}', expected: ',', ')' or identifier`);
    const values = this.#list();
    this.#next();
    return [...values].sort(compareText);
  }

  /** Up to, without, the closing parenthesis. An empty place between commas is the empty value. */
  #list(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      if (token.kind === 'identifier') {
        values.add(token.text);
        const following = this.#peek();
        if (following.kind === ')') return values;
        if (following.kind !== ',') throw new FormatError(`found '${following.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.size === 0) values.add('');
        const following = this.#peek().kind;
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

  #exactValue(): string {
    const token = this.#peek();
    if (token.kind === 'end' || token.kind === ',') return '';
    this.#next();
    if (token.kind !== 'identifier') throw new FormatError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #peek(): Token {
    return asValue(this.#at(this.#position));
  }

  #next(): Token {
    return asValue(this.#at(this.#position++));
  }

  /** Where an operator is expected, `in` and `notin` are no ordinary words. */
  #nextOperator(): Token {
    return this.#at(this.#position++);
  }

  #at(position: number): Token {
    return this.#tokens[position] ?? { kind: 'end', text: '' };
  }
}

function beginsRequirement({ kind }: Token): boolean {
  return kind === 'identifier' || kind === '!';
}

/** Where a value or key is expected, `in` and `notin` are ordinary words. */
function asValue(token: Token): Token {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}
