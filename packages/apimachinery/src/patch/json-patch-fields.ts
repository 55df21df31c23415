import type { Field, ListSchema, ScalarSchema } from '../schema/schema.ts';
import { strictErrorsOf } from '../serializer/json/exact-decode.ts';
import { parseTree } from '../serializer/json/tree.ts';
import { utf8Text } from '../text/utf8.ts';
import type { JSONPatch } from './json-patch.ts';

const text: ScalarSchema = { kind: 'scalar', type: 'string' };
const member = (name: string, schema: Field['schema']): [string, Field] => [name, { name, schema, required: false }];
const fields = new Map([
  member('op', text),
  member('path', text),
  member('from', text),
  member('value', { kind: 'any', mapType: 'granular', goType: 'interface {}' }),
]);
/** A list of jsonPatchOp (endpoints/handlers/patch.go, 1.36). */
const operations: ListSchema = {
  kind: 'list',
  listType: 'atomic',
  mapKeys: [],
  items: { kind: 'struct', goType: 'handlers.jsonPatchOp', mapType: 'granular', fields },
};

/** Whether operations have members that are none of an operation. */
export function hasUnknownMembers(patch: JSONPatch): boolean {
  return patch.some((operation) => operation !== null && Object.keys(operation).some((key) => !fields.has(key)));
}

/**
 * Strict errors of a patch's own members, in the order in which they stand there: `json patch unknown field
 * "[0].extra"`, `json patch duplicate field "[1].path"`. The body is one that was parsed before.
 */
export function jsonPatchFieldErrors(body: Uint8Array): string[] {
  return strictErrorsOf(parseTree(utf8Text(body)), operations).map((error) => `json patch ${error}`);
}
