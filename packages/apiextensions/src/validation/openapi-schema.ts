import { append, compareText, forbiddenValue, invalidValue, notSupported, printed } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, hasDefault, itemSchemas, itemsOf } from '../schema/json-schema-props.ts';
import type { RuleNode, RuleSession, SchemaStep } from './rule-checker.ts';
import { validateListType, validateMapKeys, validateMapType } from './schema-lists.ts';
import { validateRules } from './schema-rules.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields = new Set(['metadata', 'kind', 'apiVersion']);

export interface OpenAPISchemaOptions {
  /** Types must be those of OpenAPI. */
  readonly requireValidType: boolean;
  /** Items of sets must be atomic. */
  readonly requireAtomicSet: boolean;
  /** Keys of `map` lists must be required or have a default, items must not be nullable. */
  readonly requireMapKeys: boolean;
  /** Absent where rules are not to be compiled, since the schema has other problems. */
  readonly session: RuleSession | undefined;
  readonly unchanged: boolean;
  readonly storedExpressions: ReadonlySet<string>;
}

interface Visit {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Why defaults are forbidden; undefined where they are not. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelatable: FieldPath | undefined;
  /** Undefined under junctors, where there are no rules. */
  readonly ancestry: RuleNode['ancestry'] | undefined;
}

/** Of all nodes so far. */
interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

interface Run {
  readonly options: OpenAPISchemaOptions;
  readonly found: Found;
}

/**
 * What a CRD may not say in an OpenAPI schema (ValidateCustomResourceDefinitionOpenAPISchema, 1.36): first what is
 * wrong with the schema, then with its rules. Properties are visited in the order of their names.
 */
export function validateOpenAPISchema(
  root: JSONSchemaProps,
  path: FieldPath,
  options: OpenAPISchemaOptions,
): FieldError[] {
  const found: Found = { schema: [], rules: [] };
  visit(
    root,
    { path, isRoot: true, noDefaults: undefined, insideMeta: false, uncorrelatable: undefined, ancestry: [] },
    { options, found },
  );
  return [...found.schema, ...found.rules];
}

function visit(props: JSONSchemaProps, at: Visit, run: Run): void {
  const { path } = at;
  const { found, options } = run;
  const errorsBefore = found.schema.length;
  checkKeywords(props, at, run);
  const into = (schema: JSONSchemaProps, below: Visit): void => {
    visit(schema, below.isRoot ? { ...below, isRoot: false } : below, run);
  };
  const stepInto = (schema: JSONSchemaProps, step: SchemaStep): RuleNode['ancestry'] | undefined =>
    at.ancestry === undefined ? undefined : [...at.ancestry, { step, schema }];

  if (props.uniqueItems === true)
    found.schema.push(
      forbiddenValue(
        path.child('uniqueItems'),
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  const additional = additionalOf(props);
  if (props.additionalProperties !== undefined) {
    if (Object.keys(props.properties ?? {}).length > 0 && props.additionalProperties !== true)
      found.schema.push(
        forbiddenValue(path.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'),
      );
    if (additional !== undefined) {
      into(additional, {
        ...at,
        path: path.child('additionalProperties'),
        ancestry: stepInto(additional, { kind: 'additionalProperties' }),
        ...(at.insideMeta ? { noDefaults: ' inside additionalProperties applying to object metadata' } : {}),
      });
    }
  }
  const mapCorrelatable = props['x-kubernetes-map-type'] === undefined || props['x-kubernetes-map-type'] === 'granular';
  const { properties = {} } = props;
  for (const name of Object.keys(properties).sort(compareText)) {
    const property = properties[name]!;
    const isMeta = (at.isRoot || props['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
    into(property, {
      ...at,
      path: path.child('properties').key(name),
      ancestry: stepInto(property, { kind: 'property', name }),
      uncorrelatable: at.uncorrelatable ?? (mapCorrelatable ? undefined : path),
      insideMeta: at.insideMeta || isMeta,
      noDefaults: isMeta && at.isRoot ? ` in top-level ${name}` : at.noDefaults,
    });
  }
  const junctor = (schema: JSONSchemaProps, below: FieldPath): void => {
    into(schema, { ...at, path: below, ancestry: undefined });
  };
  if (props.not !== undefined) junctor(props.not, path.child('not'));
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const)
    props[name]?.forEach((schema, i) => {
      junctor(schema, path.child(name).index(i));
    });
  if (props.definitions !== undefined)
    for (const [name, schema] of Object.entries(props.definitions))
      junctor(schema, path.child('definitions').key(name));
  if (props.items !== undefined) {
    const below = {
      ...at,
      uncorrelatable: at.uncorrelatable ?? (props['x-kubernetes-list-type'] === 'map' ? undefined : path),
    };
    const items = itemsOf(props);
    if (items !== undefined)
      into(items, { ...below, path: path.child('items'), ancestry: stepInto(items, { kind: 'items' }) });
    else
      itemSchemas(props).forEach((schema, i) => {
        into(schema, { ...below, path: path.child('items').index(i), ancestry: undefined });
      });
  }
  if (props.dependencies !== undefined)
    for (const [name, dependency] of Object.entries(props.dependencies))
      if (dependency !== null && !Array.isArray(dependency))
        junctor(dependency as JSONSchemaProps, path.child('dependencies').key(name));

  if (props['x-kubernetes-preserve-unknown-fields'] === false)
    found.schema.push(
      invalidValue(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'),
    );
  append(found.schema, validateMapType(props, path));
  append(found.schema, validateListType(props, path, options.requireAtomicSet));
  append(found.schema, options.requireMapKeys ? validateMapKeys(props, path) : []);
  checkRules(props, at, { ...run, errorsBefore });
}

function checkRules(
  props: JSONSchemaProps,
  at: Visit,
  { errorsBefore, found, options }: Run & { readonly errorsBefore: number },
): void {
  const rules = props['x-kubernetes-validations'];
  if (rules === undefined || rules.length === 0) return;
  append(found.schema, validateRules(props, at.path));
  // Schema problems at this node or below make the texts of the compiler misleading.
  if (found.schema.length > errorsBefore || at.ancestry === undefined || options.session === undefined) return;
  append(
    found.rules,
    options.session.check({
      schema: props,
      path: at.path,
      ancestry: at.ancestry,
      uncorrelatable: at.uncorrelatable,
      unchanged: options.unchanged,
      storedExpressions: options.storedExpressions,
    }),
  );
}

function checkKeywords(props: JSONSchemaProps, at: Visit, { found: { schema: errors }, options }: Run): void {
  const { path } = at;
  const { type = '' } = props;
  if (options.requireValidType && type !== '' && !types.includes(type))
    errors.push(notSupported(path.child('type'), type, types, { plain: true }));
  if (hasDefault(props) && at.noDefaults !== undefined)
    errors.push(forbiddenValue(path.child('default'), `must not be set${at.noDefaults}`));
  const refuse = (keyword: string, isSet: boolean): void => {
    if (isSet) errors.push(forbiddenValue(path.child(keyword), `${keyword} is not supported`));
  };
  refuse('id', (props.id ?? '') !== '');
  refuse('additionalItems', props.additionalItems !== undefined);
  refuse('patternProperties', props.patternProperties !== undefined && Object.keys(props.patternProperties).length > 0);
  refuse('definitions', props.definitions !== undefined && Object.keys(props.definitions).length > 0);
  refuse('dependencies', printed(props, 'dependencies') !== null);
  refuse('$ref', props.$ref !== undefined);
  if (type === 'null')
    errors.push(forbiddenValue(path.child('type'), 'type cannot be set to null, use nullable as an alternative'));
  if (itemSchemas(props).length > 0)
    errors.push(forbiddenValue(path.child('items'), 'items must be a schema object and not an array'));
  if (at.insideMeta && props['x-kubernetes-embedded-resource'] === true)
    errors.push(
      forbiddenValue(path.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'),
    );
}
