import { FormatError } from '../errors/format-error.ts';
import { compareText } from '../errors/go-format.ts';
import type { FieldRequirement, FieldSelector } from './selector.ts';

/**
 * Renames or refuses one field of a selector, as a resource's field label conversion does; throws to refuse.
 * A requirement whose field and value both come back empty is dropped.
 */
export type FieldTransform = (field: string, value: string) => readonly [field: string, value: string];

/** Requirements; those of fewer are held against an object one by one. */
const manyRequirements = 16;

/** What is asked of one field. */
interface FieldTest {
  readonly equal: Set<string>;
  readonly unequal: Set<string>;
}

class FieldConjunction implements FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly empty: boolean;
  #tests: ReadonlyMap<string, FieldTest> | undefined;

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
    this.empty = requirements.length === 0;
  }

  matches(fields: Readonly<Record<string, string>> | undefined): boolean {
    if (this.requirements.length > manyRequirements) return this.#matchesMany(fields);
    for (const requirement of this.requirements) {
      const found: unknown = fields?.[requirement.field];
      // An absent field is the empty string.
      const value = typeof found === 'string' ? found : '';
      if ((value === requirement.value) !== (requirement.operator === '=')) return false;
    }
    return true;
  }

  /** The same by field: there are few, however many requirements. */
  #matchesMany(fields: Readonly<Record<string, string>> | undefined): boolean {
    this.#tests ??= testsOf(this.requirements);
    for (const [field, { equal, unequal }] of this.#tests) {
      const found: unknown = fields?.[field];
      const value = typeof found === 'string' ? found : '';
      if (equal.size > 1 || (equal.size === 1 && !equal.has(value)) || unequal.has(value)) return false;
    }
    return true;
  }

  toString(): string {
    return this.requirements.map((r) => `${r.field}${r.operator}${escapeFieldValue(r.value)}`).join(',');
  }
}

function testsOf(requirements: readonly FieldRequirement[]): ReadonlyMap<string, FieldTest> {
  const tests = new Map<string, FieldTest>();
  for (const { field, operator, value } of requirements) {
    let test = tests.get(field);
    if (test === undefined) tests.set(field, (test = { equal: new Set(), unequal: new Set() }));
    (operator === '=' ? test.equal : test.unequal).add(value);
  }
  return tests;
}

/** Matches everything. */
export const everyField: FieldSelector = new FieldConjunction([]);

/** A selector of these requirements, in this order. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return requirements.length === 0 ? everyField : new FieldConjunction(requirements);
}

/**
 * Parses `metadata.name=a,spec.nodeName!=b`; `\` escapes `\`, `,` and `=` in values.
 * @throws FormatError with upstream's text (fields.ParseSelector)
 */
export function parseFieldSelector(text: string, transform: FieldTransform = asWritten): FieldSelector {
  if (text === '') return everyField;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareText)) {
    if (term === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw new FormatError(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator, raw = ''] = match;
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescapeFieldValue(raw) });
  }
  return fieldSelectorOf(transformed(requirements, transform));
}

const asWritten: FieldTransform = (field, value) => [field, value];

function transformed(requirements: readonly FieldRequirement[], transform: FieldTransform): FieldRequirement[] {
  const out: FieldRequirement[] = [];
  for (const requirement of requirements) {
    const [field, value] = transform(requirement.field, requirement.value);
    if (field !== '' || value !== '') out.push({ field, operator: requirement.operator, value });
  }
  return out;
}

/** At commas that are not escaped; the escapes stay. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** A literal value as it stands in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let out = '';
  const characters = Array.from(text);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    if (character === ',' || character === '=') {
      // Upstream prints the rune as a number.
      throw new FormatError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    }
    if (character !== '\\') {
      out += character;
      continue;
    }
    const escaped = characters[++i] ?? '';
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=')
      throw new FormatError(`invalid field selector: invalid escape sequence: \\${escaped}`);
    out += escaped;
  }
  return out;
}
