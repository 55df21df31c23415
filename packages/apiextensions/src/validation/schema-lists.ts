import { append, forbiddenValue, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { hasDefault, itemsOf, propertyOf } from '../schema/json-schema-props.ts';
import { itemsForm } from './internal-form.ts';

/** `x-kubernetes-map-type` belongs to objects. */
export function validateMapType(props: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const mapType: string | undefined = props['x-kubernetes-map-type'];
  if (mapType === undefined) return errors;
  if (props.type !== 'object')
    errors.push(wrongType(props, path, 'must be object if x-kubernetes-map-type is specified'));
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(notSupported(path.child('x-kubernetes-map-type'), mapType, ['atomic', 'granular'], { plain: true }));
  return errors;
}

function wrongType(props: JSONSchemaProps, path: FieldPath, text: string): FieldError {
  return (props.type ?? '') === ''
    ? required(path.child('type'), text)
    : invalidValue(path.child('type'), props.type, text);
}

/** `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */
export function validateListType(props: JSONSchemaProps, path: FieldPath, requireAtomicSet: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const listType: string | undefined = props['x-kubernetes-list-type'];
  const keys = props['x-kubernetes-list-map-keys'] ?? [];
  const items = itemsOf(props);
  if (listType !== undefined && props.type !== 'array')
    errors.push(wrongType(props, path, 'must be array if x-kubernetes-list-type is specified'));
  else if (requireAtomicSet && listType === 'set' && items !== undefined && isNonAtomic(items)) {
    const keyword = items.type === 'array' ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type';
    // Of objects too the reference prints the list type.
    errors.push(
      invalidValue(
        path.child('items').child(keyword),
        items['x-kubernetes-list-type'] ?? null,
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ),
    );
  }
  if (listType !== undefined && listType !== 'atomic' && listType !== 'set' && listType !== 'map')
    errors.push(
      notSupported(path.child('x-kubernetes-list-type'), listType, ['atomic', 'set', 'map'], { plain: true }),
    );
  if (keys.length > 0 && listType !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType === undefined
        ? required(path.child('x-kubernetes-list-type'), text)
        : invalidValue(path.child('x-kubernetes-list-type'), listType, text),
    );
  }
  if (listType === 'map') append(errors, validateMapList(props, path));
  return errors;
}

function validateMapList(props: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const keys = props['x-kubernetes-list-map-keys'] ?? [];
  const items = itemsOf(props);
  if (keys.length === 0)
    errors.push(
      required(path.child('x-kubernetes-list-map-keys'), 'must not be empty if x-kubernetes-list-type is map'),
    );
  if (props.items === undefined)
    errors.push(required(path.child('items'), 'must have a schema if x-kubernetes-list-type is map'));
  else if (items === undefined)
    errors.push(
      invalidValue(
        path.child('items'),
        itemsForm(props.items),
        'must only have a single schema if x-kubernetes-list-type is map',
      ),
    );
  if (items === undefined) return errors;
  if (items.type !== 'object') {
    errors.push(
      invalidValue(
        path.child('items').child('type'),
        items.type ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    );
    return errors;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined)
      errors.push(
        invalidValue(path.child('x-kubernetes-list-map-keys'), keys, 'entries must all be names of item properties'),
      );
    else if (property.type === 'array' || property.type === 'object') {
      errors.push(
        invalidValue(
          path.child('items').child('properties').key(key).child('type'),
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    }
    if (seen.has(key))
      errors.push(invalidValue(path.child('x-kubernetes-list-map-keys'), keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

/** Items of a set are compared as wholes; lists are atomic unless they say otherwise, objects are not. */
export function isNonAtomic(items: JSONSchemaProps): boolean {
  if (items.type === 'array')
    return items['x-kubernetes-list-type'] !== undefined && items['x-kubernetes-list-type'] !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}

/** Items of sets and maps must be there, and so must the keys of maps. */
export function validateMapKeys(props: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const items = itemsOf(props);
  const listType = props['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return errors;
  if (items.nullable === true)
    errors.push(
      forbiddenValue(
        path.child('items').child('nullable'),
        `cannot be nullable when x-kubernetes-list-type is ${listType}`,
      ),
    );
  if (listType !== 'map') return errors;
  for (const key of props['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = path.child('items').child('properties').key(key);
    if (items.required?.includes(key) !== true && !hasDefault(property))
      errors.push(
        required(
          at.child('default'),
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (property.nullable === true)
      errors.push(
        forbiddenValue(
          at.child('nullable'),
          'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
        ),
      );
  }
  return errors;
}
