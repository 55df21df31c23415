import { append, duplicate, invalidValue, required, tooMany } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { resolveFieldPath } from '../schema/field-path.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';
import type { PrinterColumn, SelectableField, Subresources } from './internal-spec.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
/** Of one version. */
const MAX_SELECTABLE_FIELDS = 8;

/** A printer column. Its path need only begin like one: kubectl's JSONPath is read when it is used. */
export function validateColumn(column: Partial<PrinterColumn>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  if (name === '') errors.push(required(path.child('name')));
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.push(required(path.child('type'), oneOf));
  else if (!columnTypes.includes(type)) errors.push(invalidValue(path.child('type'), type, oneOf));
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalidValue(path.child('format'), format, `must be one of ${columnFormats.join(',')}`));
  if (jsonPath === '') errors.push(required(path.child('JSONPath')));
  else append(errors, validateSimplePath(jsonPath, path.child('JSONPath')));
  return errors;
}

function validateSimplePath(text: string, path: FieldPath): FieldError[] {
  return text.startsWith('.') ? [] : [invalidValue(path, text, 'must be a simple json path starting with .')];
}

/** The scale endpoint's paths. */
export function validateSubresources(subresources: Subresources | undefined, path: FieldPath): FieldError[] {
  const scale: Partial<NonNullable<Subresources['scale']>> | undefined = subresources?.scale;
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const check = (name: string, value: string, roots: readonly string[]): void => {
    const at = path.child(`scale.${name}`);
    const problems = validateSimplePath(value, at);
    if (problems.length > 0) append(errors, problems);
    else if (!roots.some((root) => value.startsWith(`.${root}.`)))
      errors.push(
        invalidValue(
          at,
          value,
          `should be a json path under ${roots.length > 1 ? 'either ' : ''}` +
            `${roots.map((root) => `.${root}`).join(' or ')}`,
        ),
      );
  };
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  if (specReplicasPath === '') errors.push(required(path.child('scale.specReplicasPath')));
  else check('specReplicasPath', specReplicasPath, ['spec']);
  if (statusReplicasPath === '') errors.push(required(path.child('scale.statusReplicasPath')));
  else check('statusReplicasPath', statusReplicasPath, ['status']);
  if (labelSelectorPath !== '') check('labelSelectorPath', labelSelectorPath, ['spec', 'status']);
  return errors;
}

/** Fields for field selectors: scalars that the schema knows, outside of metadata, each once. */
export function validateSelectableFields(
  fields: readonly Partial<SelectableField>[],
  schema: JSONSchemaProps,
  { path, allowTooMany }: { readonly path: FieldPath; readonly allowTooMany: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const filled = new Map<JSONSchemaProps, boolean>();
  fields.forEach(({ jsonPath = '' }, i) => {
    const at = path.index(i).child('jsonPath');
    if (jsonPath === '') {
      errors.push(required(at));
      return;
    }
    const resolved = resolveFieldPath(jsonPath, schema, { brackets: false, filled });
    if (typeof resolved === 'string') {
      errors.push(invalidValue(at, jsonPath, `is an invalid path: ${resolved}`));
      return;
    }
    if (resolved.root === 'metadata') errors.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(resolved.schema.type ?? '')) {
      errors.push(
        invalidValue(
          at,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with ' +
            'formats are allowed.',
        ),
      );
    }
    const name = String(resolved.path);
    if (seen.has(name)) errors.push(duplicate(at, jsonPath));
    seen.add(name);
  });
  if (seen.size > MAX_SELECTABLE_FIELDS && !allowTooMany) errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  return errors;
}

/** Whether there are more selectable fields than are allowed today. */
export function hasTooManySelectableFields(fields: readonly SelectableField[]): boolean {
  return fields.length > MAX_SELECTABLE_FIELDS;
}

/** As {@link validateSelectableFields}, where the schema may be missing or unreadable. */
export function validateSelectable(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  {
    path,
    schemaName,
    missing,
    allowTooMany,
  }: {
    readonly path: FieldPath;
    readonly schemaName: string;
    readonly missing: string;
    readonly allowTooMany: boolean;
  },
): FieldError[] {
  if (fields.length === 0) return [];
  if (schema === undefined) return [invalidValue(path.child('selectableFields'), '', missing)];
  const problem = structuralProblem(schema);
  return [
    ...(problem === undefined ? [] : [invalidValue(path.child(schemaName), '', problem)]),
    ...validateSelectableFields(fields, schema, { path: path.child('selectableFields'), allowTooMany }),
  ];
}
