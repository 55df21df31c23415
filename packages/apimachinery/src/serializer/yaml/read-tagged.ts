import { RawNumber } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';
import { FloatNumber, isTimestamp, resolveScalar } from './resolve-scalar.ts';
import { YAML_TAG } from './tag-directives.ts';

/** Tags of scalars that go-yaml reads; other tags make text of anything. */
const RESOLVED = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => YAML_TAG + name));

/**
 * The value of a scalar with a tag; a text where it is refused: `cannot decode !!str `x` as a !!int` (go-yaml,
 * resolve.go).
 */
export function readTagged(text: string, tag: string): { readonly value: RawValue; readonly mistake?: string } {
  if (tag === `${YAML_TAG}binary`) {
    return isBase64(text)
      ? { value: Buffer.from(text, 'base64').toString('utf8') }
      : { value: null, mistake: '!!binary value contains invalid base64 data' };
  }
  if (tag === `${YAML_TAG}str` || !RESOLVED.has(tag)) return { value: text };
  const value = tag === `${YAML_TAG}timestamp` && isTimestamp(text) ? text : resolveScalar(text);
  const found = tag === `${YAML_TAG}timestamp` && isTimestamp(text) ? 'timestamp' : kindOf(value);
  const asked = tag.slice(YAML_TAG.length);
  if (found === asked || (found === 'str' && asked === 'str')) return { value };
  if (asked === 'float' && found === 'int') return { value: new FloatNumber(Number((value as RawNumber).text)) };
  return { value: null, mistake: `cannot decode !!${found} \`${text}\` as a !!${asked}` };
}

function kindOf(value: RawValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return value instanceof RawNumber && value.constructor === RawNumber ? 'int' : 'float';
}

/** Standard base64 with padding; Go's decoder passes over line breaks. */
function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const bare = plain.endsWith('==') ? plain.slice(0, -2) : plain.endsWith('=') ? plain.slice(0, -1) : plain;
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*$/.test(bare);
}
