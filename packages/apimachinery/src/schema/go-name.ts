import type { Schema } from './schema.ts';

const SCALAR_GO_TYPES = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  integer: 'int64',
  double: 'float64',
  number: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
} as const;

/** The Go type that decode errors name for a node. */
export function goTypeOf(schema: Schema): string {
  return schema.goType ?? (schema.kind === 'scalar' ? SCALAR_GO_TYPES[schema.type] : 'interface {}');
}
