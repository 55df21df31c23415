import type { FunctionTable } from './functions.ts';
import type { Dialect } from './syntax/macros.ts';
import type { MessageType } from './values/messages.ts';
import type { CelType } from './types/types.ts';
import {
  boolType,
  bytesType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  parseType,
  simpleType,
  stringType,
  typeType,
} from './types/types.ts';

/** What expressions can use: variables by name, and functions. */
export interface Environment extends Dialect {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
  /** Messages that expressions can make, by name; none if absent. */
  readonly messages?: (name: string) => MessageType | undefined;
}

/** Types by the names that expressions know them by. */
const namedTypes: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', simpleType('double')],
  ['int', intType],
  ['string', stringType],
  ['uint', simpleType('uint')],
  ['null_type', nullType],
  ['list', listOf(dynType)],
  ['map', mapOf(dynType, dynType)],
  ['type', typeType],
  ['optional_type', optionalOf(dynType)],
  ['google.protobuf.Timestamp', simpleType('timestamp')],
  ['google.protobuf.Duration', simpleType('duration')],
  ...['net.IP', 'net.CIDR'].map((name): [string, CelType] => [name, parseType(name)]),
]);

/** The type that a name stands for, if it is a type's. */
export function typeNamed(name: string): CelType | undefined {
  return namedTypes.get(name);
}
