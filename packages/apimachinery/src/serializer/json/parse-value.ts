import { FormatError } from '../../errors/format-error.ts';
import { goQuote } from '../../errors/go-format.ts';
import type { JSONValue } from '../../object/object.ts';
import { utf8Text } from '../../text/utf8.ts';
import { pathText } from './exact-decode.ts';
import { parseJSON } from './parse-text.ts';
import { plainValue } from './plain-value.ts';
import { MAX_DEPTH, syntaxError } from './syntax-error.ts';
import { scanJSON } from './scan.ts';
import { parseTree } from './tree.ts';

/** Any JSON value with the strict errors that were found in it. */
export interface ParsedValue {
  readonly value: JSONValue;
  /** `duplicate field "a.b"`, each once. */
  readonly strictErrors: readonly string[];
}

/**
 * JSON.parse of a text that was written here: integers keep their digits.
 * @throws SyntaxError, FormatError
 */
export function parseExactly(text: string): JSONValue {
  const bytes = Buffer.from(text);
  return scanJSON(bytes).exactNumbers ? plainValue(parseTree(text), []) : (parseJSON(text) as JSONValue);
}

/**
 * Parses JSON of any shape, for bodies that are no objects of the API (patches): integers keep their digits, of
 * duplicate fields the last one counts.
 * @throws FormatError with the text of Go's encoding/json
 */
export function parseJSONValue(bytes: Uint8Array): ParsedValue {
  const text = utf8Text(bytes);
  try {
    // The native parser finds mistakes fastest; its values lose digits, its errors say too little.
    JSON.parse(text);
  } catch (error) {
    throw new FormatError(syntaxError(bytes) ?? (error instanceof Error ? error.message : 'invalid JSON'), {
      cause: error,
    });
  }
  if (scanJSON(bytes).depth > MAX_DEPTH) {
    const reason = syntaxError(bytes);
    if (reason !== undefined) throw new FormatError(reason);
  }
  const errors = new Set<string>();
  const value = plainValue(parseTree(text), [], (path, key) => {
    errors.add(`duplicate field ${goQuote(pathText(path, key))}`);
  });
  return { value, strictErrors: [...errors] };
}
