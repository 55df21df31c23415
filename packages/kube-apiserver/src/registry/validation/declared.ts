import {
  append,
  duplicate,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  notSupported,
  isPathSegmentName,
  required,
  tooLongCharacters,
  tooMany,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import table from '../generated/declared-rules.json' with { type: 'json' };
import { semanticEqual } from '../semantic-equal.ts';

type Field = readonly [name: string, type: string, rules: readonly string[]];
type Structs = Readonly<Record<string, readonly Field[] | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/** Rules of types by group version. */
const declared = table as unknown as Readonly<Record<string, Structs | undefined>>;

/** What decides on rules that wait for feature gates. */
export type HasGate = (gate: string) => boolean;

/** Those of one group version, while gates are as they are. */
interface Check {
  readonly structs: Structs;
  readonly hasGate: HasGate;
  readonly errors: FieldError[];
}

/** A value with what it was before; `old` is undefined where there was nothing, or nothing that it goes by. */
interface Change {
  readonly value: unknown;
  readonly old: unknown;
  /** The object is updated, and what the value stands in was there. */
  readonly isUpdate: boolean;
}

/**
 * Mistakes by the rules that the types of a kind declare of their fields: what an update leaves as it is is not looked
 * at again. Source: the tags of the API types and apimachinery/pkg/api/validate, 1.36 and 1.37.
 *
 * @param only the field of the object that the endpoint writes: `spec` or `status`
 */
export function validateDeclared(
  object: KubeObject,
  old: KubeObject | undefined,
  { hasGate, only }: { readonly hasGate: HasGate; readonly only: 'spec' | 'status' },
): FieldError[] {
  const structs = declared[object.apiVersion ?? ''] ?? {};
  const check: Check = { structs, hasGate, errors: [] };
  const field = (structs[object.kind ?? ''] ?? []).find(([name]) => name === only);
  if (field !== undefined)
    checkField(check, FieldPath.of(only), field, {
      value: object[only],
      old: old?.[only],
      isUpdate: old !== undefined,
    });
  return check.errors;
}

function checkStruct(check: Check, path: FieldPath, type: string, change: Change): void {
  const fields = check.structs[type] ?? [];
  const value = fieldsOf(change.value);
  const old = fieldsOf(change.old);
  const members = fields.filter(([, , rules]) => inForce(check, rules).includes('unionMember')).map(([name]) => name);
  if (members.length > 0) append(check.errors, unionMistakes(path, members, { value, old, change }));
  for (const field of fields) {
    const [name, , rules] = field;
    checkField(check, path.child(name), field, { value: value[name], old: old[name], isUpdate: change.isUpdate });
    const wanted = rules.map((rule) => /^dependentRequired\("(\w+)"\)$/.exec(rule)?.[1]).find((found) => found);
    if (wanted !== undefined && isSet(value[name]) && !isSet(value[wanted]))
      check.errors.push(required(path.child(wanted), `must be set when ${name} is set`));
  }
}

function unionMistakes(
  path: FieldPath,
  members: readonly string[],
  { change, old, value }: { readonly value: Fields; readonly old: Fields; readonly change: Change },
): FieldError[] {
  const given = members.filter((name) => isSet(value[name]));
  if (given.length === 1) return [];
  // What was wrong before may stay so.
  if (change.isUpdate && change.old !== undefined && members.every((name) => isSet(value[name]) === isSet(old[name])))
    return [];
  const names = members.map((name) => `\`${name}\``).join(', ');
  return given.length === 0
    ? [invalidValue(path, '', `must specify one of: ${names}`)]
    : [invalidValue(path, `{${given.join(', ')}}`, `must specify exactly one of: ${names}`)];
}

function checkField(check: Check, path: FieldPath, [, type, declaredRules]: Field, change: Change): void {
  const { old, value } = change;
  const isPointer = type.startsWith('*');
  const isSame = isPointer ? isGiven(value, type) === isGiven(old, type) : true;
  if (change.isUpdate && isSame && semanticEqual(value ?? null, old ?? null)) return;
  const rules = inForce(check, declaredRules);
  const isEmpty = !isGiven(value, type);
  const stopping = rules.flatMap((rule) => stops(path, rule, { change, isEmpty, wasGiven: isGiven(old, type) }));
  append(check.errors, stopping);
  const isOptional = rules.includes('optional');
  if (stopping.length > 0 || (isEmpty && (isOptional || isPointer))) return;
  const key = rules.find((rule) => rule.startsWith('listMapKey='))?.slice('listMapKey='.length);
  if (Array.isArray(value)) {
    const before = Array.isArray(old) ? (old as readonly unknown[]) : [];
    if (key !== undefined) append(check.errors, repeated(path, value, key));
    if (type.startsWith('['))
      for (const [i, item] of value.entries()) {
        const was = before.find((other) =>
          key === undefined ? semanticEqual(other, item) : fieldsOf(other)[key] === fieldsOf(item)[key],
        );
        if (was === undefined || !semanticEqual(was, item))
          checkStruct(check, path.index(i), type.slice(1), { value: item, old: was, isUpdate: was !== undefined });
      }
    return;
  }
  append(
    check.errors,
    rules.flatMap((rule) => [...mistakes(path, rule, value), ...decreased(path, rule, change)]),
  );
  const name = type.replace('*', '');
  if (name !== '') checkStruct(check, path, name, change);
}

/** Rules whose gates are as they ask for, without what they say of gates. */
function inForce({ hasGate }: Check, rules: readonly string[]): readonly string[] {
  return rules.flatMap((rule) => {
    const [, when, gate = '', then = ''] = /^if(Enabled|Disabled)\("?(\w+)"?\)=\+k8s:(.*)$/.exec(rule) ?? [];
    if (when === undefined) return [rule];
    return hasGate(gate) === (when === 'Enabled') ? [then] : [];
  });
}

/** Mistakes after which a field is not looked at any further. */
function stops(
  path: FieldPath,
  rule: string,
  {
    change: { isUpdate, old, value },
    isEmpty,
    wasGiven,
  }: { readonly change: Change; readonly isEmpty: boolean; readonly wasGiven: boolean },
): FieldError[] {
  const [name = '', argument = ''] = rule.split('=');
  switch (name) {
    case 'required':
      return isEmpty ? [required(path)] : [];
    case 'forbidden':
      return isEmpty ? [] : [forbiddenValue(path, '')];
    case 'immutable':
      return isUpdate ? [invalidValue(path, null, 'field is immutable')] : [];
    case 'maxItems':
      return Array.isArray(value) && value.length > Number(argument)
        ? [tooMany(path, value.length, Number(argument))]
        : [];
    case 'update':
      return isUpdate ? refusedChange(path, argument, { value, old, isEmpty, wasGiven }) : [];
    default:
      return [];
  }
}

function refusedChange(
  path: FieldPath,
  constraint: string,
  { isEmpty, old, value, wasGiven }: Pick<Change, 'value' | 'old'> & { isEmpty: boolean; wasGiven: boolean },
): FieldError[] {
  const nameOf = (item: unknown): unknown => fieldsOf(item)['name'];
  const items = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);
  switch (constraint) {
    case 'NoSet':
      return !wasGiven && !isEmpty ? [invalidValue(path, null, 'field cannot be set once created')] : [];
    case 'NoUnset':
      return wasGiven && isEmpty ? [invalidValue(path, null, 'field cannot be cleared once set')] : [];
    case 'NoModify':
      return wasGiven && !isEmpty ? [invalidValue(path, null, 'field cannot be modified once set')] : [];
    case 'NoAddItem':
      return items(value).flatMap((item, i) =>
        items(old).some((other) => nameOf(other) === nameOf(item))
          ? []
          : [forbiddenValue(path.index(i), 'item may not be added')],
      );
    case 'NoRemoveItem':
      return items(old).flatMap((item) =>
        items(value).some((other) => nameOf(other) === nameOf(item))
          ? []
          : [forbiddenValue(path, 'item may not be removed')],
      );
    default:
      return [];
  }
}

function mistakes(path: FieldPath, rule: string, value: unknown): FieldError[] {
  const [name = '', argument = ''] = rule.split('=');
  const number = Number(value ?? 0);
  const text = typeof value === 'string' ? value : '';
  switch (name) {
    case 'format':
      return formatProblems(argument, text).map((message) => invalidValue(path, text, message));
    case 'enum':
      return argument.split(',').includes(text) ? [] : [notSupported(path, text, argument.split(','))];
    case 'minimum':
      return number < Number(argument)
        ? [invalidValue(path, number, `must be greater than or equal to ${argument}`)]
        : [];
    case 'maxLength':
      return text.length > Number(argument) && Array.from(text).length > Number(argument)
        ? [tooLongCharacters(path, Number(argument))]
        : [];
    case 'maximum':
      return number > Number(argument) ? [invalidValue(path, number, `must be less than or equal to ${argument}`)] : [];
    default:
      return [];
  }
}

/** A number that only grows. */
function decreased(path: FieldPath, rule: string, { isUpdate, old, value }: Change): FieldError[] {
  return rule === 'monotonic' && isUpdate && typeof old === 'number' && typeof value === 'number' && value < old
    ? [invalidValue(path, value, `may not be decreased from ${old}`)]
    : [];
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uuidProblem = 'must be a lowercase UUID in 8-4-4-4-12 format';

function formatProblems(format: string, text: string): readonly string[] {
  switch (format) {
    case 'k8s-long-name':
      return isDNS1123Subdomain(text);
    case 'k8s-short-name':
      return isDNS1123Label(text);
    case 'k8s-path-segment-name':
      return isPathSegmentName(text);
    case 'k8s-label-key':
      return isQualifiedName(text);
    case 'k8s-prefixed-label-key': {
      const problems = isQualifiedName(text);
      return problems.length > 0 || text.includes('/') ? problems : ["must include a prefix (e.g. 'example.com/key')"];
    }
    case 'k8s-uuid':
      return uuidForm.test(text) ? [] : [uuidProblem];
    default:
      return [];
  }
}

/** Items that have the key of an earlier one. */
function repeated(path: FieldPath, items: readonly unknown[], key: string): FieldError[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, i) => {
    const value = fieldsOf(item)[key] ?? '';
    if (seen.has(value)) return [duplicate(path.index(i), item)];
    seen.add(value);
    return [];
  });
}

/** Whether a field is not the zero value of its Go type. */
function isGiven(value: unknown, type: string): boolean {
  if (value === undefined || value === null) return false;
  if (type.startsWith('*')) return true;
  return value !== '' && value !== 0 && value !== false && !(Array.isArray(value) && value.length === 0);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Takes fields out whose features are off, unless the object had them before: of an object with `spec` and `status`. */
export function dropUndeclared(object: KubeObject, old: KubeObject | undefined, hasGate: HasGate): void {
  const structs = declared[object.apiVersion ?? ''] ?? {};
  dropFields(structs, object.kind ?? '', { value: object, old, hasGate });
}

function dropFields(
  structs: Structs,
  type: string,
  { hasGate, old, value }: { readonly value: unknown; readonly old: unknown; readonly hasGate: HasGate },
): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  const before = fieldsOf(old);
  for (const [name, of, rules] of structs[type] ?? []) {
    const gate = rules.find((rule) => rule.startsWith('featureGate='))?.slice('featureGate='.length);
    if (gate !== undefined && !hasGate(gate) && !isSet(before[name])) delete fields[name];
    const part = fields[name];
    const was = before[name];
    if (!Array.isArray(part)) dropFields(structs, of.replace('*', ''), { value: part, old: was, hasGate });
    else
      for (const [i, item] of part.entries())
        dropFields(structs, of.slice(1), { value: item, old: Array.isArray(was) ? was[i] : undefined, hasGate });
  }
}
