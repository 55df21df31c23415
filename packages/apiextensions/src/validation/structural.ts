import { compareText, forbiddenValue, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, hasDefault, itemsOf, propertyOf } from '../schema/json-schema-props.ts';
import { compilePattern } from '@kubechain/cel/patterns';

/** What is wrong with a pattern; undefined: nothing. */
export type PatternProblem = (pattern: string) => string | undefined;

/** The same, found out now. */
export function problemOfPattern(pattern: string): string | undefined {
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

interface Found {
  readonly errors: FieldError[];
  readonly patternProblem: PatternProblem;
}

type Level = 'root' | 'item' | 'field';

const typeRequired: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * What keeps a schema from being structural: types everywhere, nothing but value validation under junctors, and
 * nothing there that is not specified outside (apiserver/schema ValidateStructural, 1.36). Sorted by text. The schema
 * has no `structuralProblem`.
 */
export function validateStructural(
  props: JSONSchemaProps,
  path: FieldPath,
  patternProblem: PatternProblem = problemOfPattern,
): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(props, 'root', path, { errors, patternProblem });
  checkCompleteness(props, props, { at: path, from: path, errors });
  return errors
    .map((error) => ({ error, text: String(error) }))
    .sort((a, b) => compareText(a.text, b.text))
    .map(({ error }) => error);
}

function checkNode(props: JSONSchemaProps, level: Level, path: FieldPath, found: Found): void {
  const { type = '', properties = {} } = props;
  const items = itemsOf(props),
    additional = additionalOf(props);
  const embedded = props['x-kubernetes-embedded-resource'] === true;
  const preserve = props['x-kubernetes-preserve-unknown-fields'] === true;
  const intOrString = props['x-kubernetes-int-or-string'] === true;

  if (type === 'array' && items === undefined) found.errors.push(required(path.child('items'), 'must be specified'));
  if (items !== undefined) checkNode(items, 'item', path.child('items'), found);
  for (const [name, property] of Object.entries(properties))
    checkNode(property, 'field', path.child('properties').key(name), found);
  if (props.additionalProperties !== undefined) {
    if (level === 'root')
      found.errors.push(forbiddenValue(path.child('additionalProperties'), 'must not be used at the root'));
    if (additional !== undefined) checkNode(additional, 'field', path.child('additionalProperties'), found);
  }
  if (intOrString && preserve)
    found.errors.push(
      invalidValue(
        path.child('x-kubernetes-preserve-unknown-fields'),
        true,
        'must be false if x-kubernetes-int-or-string is true',
      ),
    );
  if (intOrString && embedded)
    found.errors.push(
      invalidValue(
        path.child('x-kubernetes-embedded-resource'),
        true,
        'must be false if x-kubernetes-int-or-string is true',
      ),
    );

  checkValueValidation(props, path, found, {
    skipAnyOf: isIntOrString(props.anyOf),
    skipFirstAllOf: isIntOrString(props.allOf?.[0]?.anyOf),
  });

  if (embedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    found.errors.push(type === '' ? required(path.child('type'), text) : invalidValue(path.child('type'), type, text));
  } else if (type === '' && !intOrString && !preserve)
    found.errors.push(required(path.child('type'), typeRequired[level]));
  if (embedded && props.additionalProperties !== undefined)
    found.errors.push(
      forbiddenValue(path.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  if (level === 'root' && type !== '' && type !== 'object')
    found.errors.push(invalidValue(path.child('type'), type, 'must be object at the root'));

  const isResource = level === 'root' || embedded;
  if (isResource) {
    for (const name of ['kind', 'apiVersion']) {
      const property = propertyOf(props, name);
      if (property !== undefined && property.type !== 'string')
        found.errors.push(
          invalidValue(path.child('properties').key(name).child('type'), property.type ?? '', 'must be string'),
        );
    }
    const metadata = propertyOf(props, 'metadata');
    if (metadata !== undefined) checkMetadata(metadata, level, path.child('properties').key('metadata'), found);
  }
  if (embedded && !preserve && Object.keys(properties).length === 0) {
    found.errors.push(
      required(
        path.child('properties'),
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  }
}

/** At the root metadata may only restrict names. */
function checkMetadata(props: JSONSchemaProps, level: Level, path: FieldPath, found: Found): void {
  if (props.type !== 'object') found.errors.push(invalidValue(path.child('type'), props.type ?? '', 'must be object'));
  if (level !== 'root') return;
  const names = Object.keys(props.properties ?? {});
  const others = Object.keys(props).some(
    (keyword) => keyword !== 'type' && keyword !== 'default' && keyword !== 'properties',
  );
  if (others || names.some((name) => name !== 'name' && name !== 'generateName')) {
    found.errors.push(
      forbiddenValue(
        path,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  }
}

/** `[{type: integer}, {type: string}]`, the one place where types may stand under a junctor. */
function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return (
    anyOf?.length === 2 &&
    anyOf.every((schema, i) => Object.keys(schema).length === 1 && schema.type === (i === 0 ? 'integer' : 'string'))
  );
}

interface Skips {
  readonly skipAnyOf?: boolean;
  readonly skipFirstAllOf?: boolean;
}

function checkValueValidation(props: JSONSchemaProps, path: FieldPath, found: Found, skips: Skips = {}): void {
  if (skips.skipAnyOf !== true)
    props.anyOf?.forEach((schema, i) => {
      checkNested(schema, path.child('anyOf').index(i), found);
    });
  props.allOf?.forEach((schema, i) => {
    checkNested(schema, path.child('allOf').index(i), found, skips.skipFirstAllOf === true && i === 0);
  });
  props.oneOf?.forEach((schema, i) => {
    checkNested(schema, path.child('oneOf').index(i), found);
  });
  if (props.not !== undefined) checkNested(props.not, path.child('not'), found);
  if (props.pattern !== undefined && props.pattern !== '') {
    const problem = found.patternProblem(props.pattern);
    if (problem !== undefined)
      found.errors.push(
        invalidValue(path.child('pattern'), props.pattern, `must be a valid regular expression, but isn't: ${problem}`),
      );
  }
}

/** Keywords that shape values, and so have no place under a junctor; with the word for what they should be. */
const shaping: readonly (readonly [keyword: string, should: string, isSet: (props: JSONSchemaProps) => boolean])[] = [
  ['type', 'empty', (props) => (props.type ?? '') !== ''],
  [
    'additionalProperties',
    'undefined',
    (props) => props.additionalProperties !== undefined && props.additionalProperties !== false,
  ],
  ['default', 'undefined', hasDefault],
  ['title', 'empty', (props) => (props.title ?? '') !== ''],
  ['description', 'empty', (props) => (props.description ?? '') !== ''],
  ['nullable', 'false', (props) => props.nullable === true],
  ['x-kubernetes-preserve-unknown-fields', 'false', (props) => props['x-kubernetes-preserve-unknown-fields'] === true],
  ['x-kubernetes-embedded-resource', 'false', (props) => props['x-kubernetes-embedded-resource'] === true],
  ['x-kubernetes-int-or-string', 'false', (props) => props['x-kubernetes-int-or-string'] === true],
  ['x-kubernetes-list-map-keys', 'empty', (props) => (props['x-kubernetes-list-map-keys'] ?? []).length > 0],
  ['x-kubernetes-list-type', 'undefined', (props) => props['x-kubernetes-list-type'] !== undefined],
  ['x-kubernetes-map-type', 'undefined', (props) => props['x-kubernetes-map-type'] !== undefined],
  ['x-kubernetes-validations', 'empty', (props) => (props['x-kubernetes-validations'] ?? []).length > 0],
];

function checkNested(props: JSONSchemaProps, path: FieldPath, found: Found, skipAnyOf = false): void {
  checkValueValidation(props, path, found, { skipAnyOf });
  const items = itemsOf(props);
  if (items !== undefined) checkNested(items, path.child('items'), found);
  for (const [name, property] of Object.entries(props.properties ?? {}))
    checkNested(property, path.child('properties').key(name), found);
  for (const [keyword, should, isSet] of shaping)
    if (isSet(props)) found.errors.push(forbiddenValue(path.child(keyword), `must be ${should} to be structural`));
  if (props.properties !== undefined && Object.hasOwn(props.properties, 'metadata'))
    found.errors.push(
      forbiddenValue(path.child('properties').key('metadata'), 'must not be specified in a nested context'),
    );
}

interface Place {
  readonly at: FieldPath;
  readonly from: FieldPath;
  readonly errors: FieldError[];
}

/** What junctors speak of must be specified outside of them. */
function checkCompleteness(value: JSONSchemaProps, structure: JSONSchemaProps, { at, from, errors }: Place): void {
  const junctors: readonly (readonly [JSONSchemaProps, FieldPath])[] = [
    ...(value.not === undefined ? [] : [[value.not, from.child('not')] as const]),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (value[name] ?? []).map((schema, i) => [schema, from.child(name).index(i)] as const),
    ),
  ];
  for (const [schema, path] of junctors) checkNestedCompleteness(schema, structure, { at, from: path, errors });
}

function checkNestedCompleteness(
  value: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  { at, from, errors }: Place,
): void {
  if (structure === undefined) {
    errors.push(required(at, `because it is defined in ${String(from)}`));
    return;
  }
  checkCompleteness(value, structure, { at, from, errors });
  const items = itemsOf(value);
  if (items !== undefined)
    checkNestedCompleteness(items, itemsOf(structure), { at: at.child('items'), from: from.child('items'), errors });
  for (const [name, property] of Object.entries(value.properties ?? {})) {
    const known = propertyOf(structure, name);
    checkNestedCompleteness(property, known, {
      at: at.child('properties').key(name),
      from: from.child('properties').key(name),
      errors,
    });
  }
}
