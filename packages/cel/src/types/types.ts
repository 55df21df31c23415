/**
 * A type that expressions have. `list`, `map`, `type` and opaque types have parameters; `param` stands for any type.
 * Objects that a schema describes have their fields in `fields`, under the names that expressions use.
 */
export interface CelType {
  readonly kind: 'simple' | 'null' | 'list' | 'map' | 'type' | 'object' | 'opaque' | 'param' | 'dyn' | 'error';
  readonly name: string;
  readonly params: readonly CelType[];
  readonly fields: ReadonlyMap<string, CelType> | undefined;
}

function type(kind: CelType['kind'], name: string, params: readonly CelType[] = []): CelType {
  return { kind, name, params, fields: undefined };
}

const simpleNames = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'] as const;
const simple = new Map<string, CelType>(simpleNames.map((name) => [name, type('simple', name)]));

/** A type without parameters, e.g. `int`. */
export function simpleType(name: (typeof simpleNames)[number]): CelType {
  return simple.get(name) ?? dynType;
}

/** Anything: what is only known as the expression runs. */
export const dynType: CelType = type('dyn', 'dyn');
/** Of what could not be checked; fits everywhere, so that one mistake is told once. */
export const errorType: CelType = type('error', '!error!');
/** The type of `null`. */
export const nullType: CelType = type('null', 'null');
/** `true` and `false`. */
export const boolType = simpleType('bool');
/** Whole numbers of 64 bits. */
export const intType = simpleType('int');
/** Unicode texts. */
export const stringType = simpleType('string');
export const bytesType = simpleType('bytes');

/** The lists of a type. */
export function listOf(item: CelType): CelType {
  return type('list', 'list', [item]);
}
/** The maps between two types. */
export function mapOf(key: CelType, value: CelType): CelType {
  return type('map', 'map', [key, value]);
}
/** A value of a type, or none (`optional.of`, `optional.none()`). */
export function optionalOf(value: CelType): CelType {
  return type('opaque', 'optional_type', [value]);
}
export function typeOf(of: CelType): CelType {
  return type('type', 'type', [of]);
}
/** What `type` itself is a name of. */
export const typeType: CelType = type('type', 'type');
export function paramType(name: string): CelType {
  return type('param', name);
}
/** The objects of a kind, with the types of their fields. */
export function objectOf(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'object', name, params: [], fields };
}
/** The same type with other parameters. */
export function withParams(of: CelType, params: readonly CelType[]): CelType {
  return { ...of, params };
}

export function isOptional({ kind, name }: CelType): boolean {
  return kind === 'opaque' && name === 'optional_type';
}
/** What an optional type holds; other types as they are. */
export function unwrapOptional(of: CelType): CelType {
  return isOptional(of) ? (of.params[0] ?? dynType) : of;
}

/** A type in the words of cel-go (checker/format.go). */
export function typeText({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** The name of a type without its parameters, as some messages say it. */
export function typeNameText(of: CelType): string {
  switch (of.name) {
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'null':
      return 'null_type';
    default:
      return of.name;
  }
}

/**
 * A type in the words of its values' side: `google.protobuf.Timestamp` where checks say `timestamp` (cel-go
 * common/types Type.String).
 */
export function runtimeTypeText(of: CelType): string {
  return of.params.length === 0
    ? typeNameText(of)
    : `${typeNameText(of)}(${of.params.map(runtimeTypeText).join(', ')})`;
}

/** Types of libraries that are objects without fields; the others with dots in their names are opaque. */
const libraryObjects = new Set([
  'kubernetes.URL',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.NamedFormat',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
]);

/** Reads a type of a signature; single capitals are parameters. */
export function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) {
    if (text === 'dyn') return dynType;
    if (text === 'null') return nullType;
    if (/^[A-Z]$/.test(text)) return paramType(text);
    return simple.get(text) ?? type(libraryObjects.has(text) ? 'object' : 'opaque', text);
  }
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  const name = text.slice(0, open);
  return type(name === 'optional_type' ? 'opaque' : (name as 'list' | 'map' | 'type'), name, params);
}

/** Splits at the commas that are not inside parentheses. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0,
    from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (i === text.length || (text[i] === ',' && depth === 0)) {
      const part = text.slice(from, i).trim();
      if (part !== '') parts.push(part);
      from = i + 1;
    }
  }
  return parts;
}

/** Whether two types are the same, parameters included. */
export function isSameType(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((param, i) => isSameType(param, b.params[i] ?? dynType)))
  );
}

/** Whether a type is one whose values have a fixed size. */
export function isScalar(of: CelType): boolean {
  if (isOptional(of)) return isScalar(of.params[0] ?? dynType);
  return of.kind === 'simple' && of.name !== 'string' && of.name !== 'bytes';
}
