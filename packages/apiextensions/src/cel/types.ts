/** A CEL type. `list`, `map`, `optional_type` and `type` have params; objects have fields; `param` stands for any type in signatures. */
export interface CelType {
  readonly kind: 'simple' | 'list' | 'map' | 'optional' | 'type' | 'object' | 'opaque' | 'param' | 'dyn' | 'error';
  readonly name: string;
  readonly params: readonly CelType[];
  /** By escaped name. */
  readonly fields: ReadonlyMap<string, CelType>;
}

const noFields: ReadonlyMap<string, CelType> = new Map();

function type(kind: CelType['kind'], name: string, params: readonly CelType[] = [], fields = noFields): CelType {
  return { kind, name, params, fields };
}

const simpleNames = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'null', 'timestamp', 'duration'] as const;
const simple = new Map<string, CelType>(simpleNames.map((name) => [name, type('simple', name)]));

/** A type without parameters, e.g. `int`. */
export function simpleType(name: (typeof simpleNames)[number]): CelType {
  return simple.get(name) ?? dynType;
}

export const dynType: CelType = type('dyn', 'dyn');
/** Of what could not be checked; fits everywhere, so that one mistake is told once. */
export const errorType: CelType = type('error', '!error!');
export const boolType = simpleType('bool');
export const intType = simpleType('int');
export const stringType = simpleType('string');

export function listOf(item: CelType): CelType { return type('list', 'list', [item]); }
export function mapOf(key: CelType, value: CelType): CelType { return type('map', 'map', [key, value]); }
export function optionalOf(value: CelType): CelType { return type('optional', 'optional_type', [value]); }
export function typeOf(of: CelType): CelType { return type('type', 'type', [of]); }
export function objectOf(name: string, fields: ReadonlyMap<string, CelType>): CelType { return type('object', name, [], fields); }

/** A type in the words of cel-go. */
export function typeText({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** Reads a type of a signature; single capitals are parameters, names with dots opaque types. */
export function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) {
    if (text === 'dyn') return dynType;
    if (/^[A-Z]$/.test(text)) return type('param', text);
    return simple.get(text) ?? type('opaque', text);
  }
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  const name = text.slice(0, open);
  return type(name === 'optional_type' ? 'optional' : name as 'list' | 'map' | 'type', name, params);
}

/** Splits at the commas that are not inside parentheses. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0, from = 0;
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

/** Whether a value of a type may stand where another is wanted; binds the wanted type's parameters. */
export function fits(wanted: CelType, given: CelType, bound: Map<string, CelType>): boolean {
  if (wanted.kind === 'param') {
    const known = bound.get(wanted.name);
    if (known === undefined || isLoose(known)) {
      if (known === undefined || !isLoose(given)) bound.set(wanted.name, given);
      return true;
    }
    return fits(known, given, bound);
  }
  if (isLoose(wanted) || isLoose(given)) return true;
  if (given.name === 'null') return wanted.name === 'null' || ['object', 'opaque', 'optional'].includes(wanted.kind) || wanted.name === 'timestamp' || wanted.name === 'duration';
  if (wanted.name === 'null') return fits(given, wanted, bound);
  if (wanted.kind !== given.kind || wanted.name !== given.name) return false;
  return wanted.params.every((param, i) => fits(param, given.params[i] ?? dynType, bound));
}

/** Whether the checker knows nothing about a type. */
export function isLoose({ kind }: CelType): boolean { return kind === 'dyn' || kind === 'error' || kind === 'param'; }

/** Whether a type is or contains one that is only known when evaluating. */
export function hasLoose(of: CelType): boolean { return isLoose(of) || of.params.some(hasLoose); }

/** A type with its parameters replaced; unbound ones are `dyn`. */
export function bind(of: CelType, bound: ReadonlyMap<string, CelType>): CelType {
  if (of.kind === 'param') return bound.get(of.name) ?? dynType;
  return of.params.length === 0 ? of : { ...of, params: of.params.map((param) => bind(param, bound)) };
}

/** The type of either of two values, if they fit each other. */
export function joinTypes(a: CelType, b: CelType): CelType | undefined {
  if (isLoose(a)) return b;
  if (isLoose(b)) return a;
  return fits(a, b, new Map()) ? a : fits(b, a, new Map()) ? b : undefined;
}
