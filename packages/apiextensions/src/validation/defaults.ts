import {
  append,
  FieldPath,
  aggregateMessage,
  compareText,
  equalJSON,
  invalidValue,
  sortedForm,
} from '@kubechain/apimachinery';
import type { FieldError, JSONValue } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { itemsOf } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { coerceEmbedded, validateEmbedded } from '../values/embedded.ts';
import { Outcome, toFieldErrors } from '../values/outcome.ts';
import { prune } from '../values/prune.ts';
import { Validator } from '../values/validator.ts';
import type { RuleChecker } from './rule-checker.ts';

export interface DefaultsOptions {
  /** Defaults must not have unknown fields. */
  readonly requirePruned: boolean;
  readonly rules: RuleChecker | undefined;
  /** The schema is somebody else's: what the reference corrects in defaults of embedded resources stays as it is. */
  readonly readOnly?: boolean;
}

/** Puts a value of metadata at its place in an object of the surrounding resource. */
type Surround = (value: unknown) => Record<string, unknown>;

interface Visit {
  readonly path: FieldPath;
  /** The resource, embedded or whole, that the node is part of. */
  readonly resource: JSONSchemaProps;
  readonly isRoot: boolean;
  readonly surround: Surround;
  readonly insideMeta: boolean;
}

const metaFields = new Set(['metadata', 'apiVersion', 'kind']);
/** A default that is a resource stands for itself. */
const itself: Surround = (value) => ({
  kind: 'Validation',
  apiVersion: 'validation/v1',
  ...(value as Record<string, unknown>),
});

/**
 * Defaults must be valid themselves, pruned, and result in valid metadata (apiserver/schema/defaulting
 * ValidateDefaults, 1.36).
 */
export function validateDefaults(root: JSONSchemaProps, path: FieldPath, options: DefaultsOptions): FieldError[] {
  const errors: FieldError[] = [];
  visit(root, { path, resource: root, isRoot: true, surround: itself, insideMeta: false });
  return errors;

  function visit(props: JSONSchemaProps, outer: Visit): void {
    const isResource = outer.isRoot || props['x-kubernetes-embedded-resource'] === true;
    const at: Visit = isResource ? { ...outer, resource: props, surround: itself, insideMeta: false } : outer;
    if (props.default !== undefined && props.default !== null) append(errors, checkDefault(props, at, options));
    const items = itemsOf(props);
    if (items !== undefined)
      visit(items, { ...at, isRoot: false, path: at.path.child('items'), surround: (value) => at.surround([value]) });
    for (const [name, property] of Object.entries(props.properties ?? {}).sort(([a], [b]) => compareText(a, b))) {
      visit(property, {
        ...at,
        isRoot: false,
        path: at.path.child('properties').key(name),
        surround: (value) => at.surround({ [name]: value }),
        insideMeta: at.insideMeta || (isResource && metaFields.has(name)),
      });
    }
  }
}

function checkDefault(props: JSONSchemaProps, at: Visit, options: DefaultsOptions): readonly FieldError[] {
  const path = at.path.child('default');
  const schema = ValueSchema.of(props);
  const value = props.default;
  const errors: FieldError[] = [];
  if (at.insideMeta) {
    const object = structuredClone(at.surround(value));
    const resource = ValueSchema.of(at.resource).asRoot();
    const malformed = coerceEmbedded(object, resource);
    const problems = malformed === undefined ? validateEmbedded(object, resource) : [malformed];
    if (problems.length > 0)
      return [
        invalidValue(
          path,
          sortedForm(value),
          `must result in valid metadata: ${malformed === undefined ? aggregateMessage(problems) : String(malformed)}`,
        ),
      ];
  } else {
    const node = at.isRoot ? schema.asRoot() : schema;
    if (options.requirePruned) {
      const pruned = structuredClone(value);
      prune(pruned, node);
      if (!equalJSON(pruned as JSONValue, value as JSONValue))
        errors.push(invalidValue(path, sortedForm(value), 'must not have unknown fields'));
    }
    // Metadata loses its unknown fields for good.
    const object = options.readOnly === true ? structuredClone(value) : value;
    const malformed = coerceEmbedded(object, node, { path });
    const problems = malformed === undefined ? validateEmbedded(object, node, path) : [malformed];
    if (problems.length > 0) return [...errors, ...problems];
  }
  const outcome = new Outcome();
  Validator.ofDefaults(props).check(value, '', outcome);
  if (!outcome.valid) return [...errors, ...toFieldErrors(outcome.problems, path)];
  return options.rules === undefined
    ? errors
    : [...errors, ...options.rules.checkDefault(props, value, { path, isRoot: at.isRoot })];
}

/** Whether a schema has defaults with unknown fields, as those of old CRDs may. */
export function hasUnprunedDefaults(root: JSONSchemaProps): boolean {
  return validateDefaults(root, FieldPath.root, { requirePruned: true, rules: undefined, readOnly: true }).some(
    (error) => error.detail === 'must not have unknown fields',
  );
}
