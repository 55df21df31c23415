import type { Field, ScalarSchema, Schema, StructSchema } from '../../schema/schema.ts';

/*
 * Schemas are compiled once into nodes with a small integer per type, so that a walk is a switch on numbers and one
 * Map look-up per member.
 */

/** What a node asks of a value. */
export const Op = {
  string: 0,
  boolean: 1,
  int32: 2,
  int64: 3,
  double: 4,
  bytes: 5,
  time: 6,
  microTime: 7,
  duration: 8,
  quantity: 9,
  intOrString: 10,
  struct: 11,
  map: 12,
  list: 13,
  any: 14,
  variant: 15,
} as const;

/** One compiled schema node. Members that do not apply are null, so that all nodes have one shape. */
export class Node {
  readonly op: number;
  readonly schema: Schema;
  /** Members of a struct, filled when the node is first walked. */
  members: Map<string, Member> | null = null;
  /** How many members of a struct Go always writes, known with them. */
  always = 0;
  /** Items of a list, values of a map; object form of a variant. */
  child: Node | null = null;
  constructor(op: number, schema: Schema) {
    this.op = op;
    this.schema = schema;
  }
}

/** One member of a struct. */
export class Member {
  readonly node: Node;
  readonly omitEmpty: boolean;
  /** Go writes it also where it is not set. */
  readonly always: boolean;
  constructor(node: Node, omitEmpty: boolean, always: boolean) {
    this.node = node;
    this.omitEmpty = omitEmpty;
    this.always = always;
  }
}

const compiled = new WeakMap<Schema, Node>();

/** The node of a schema, made once. */
export function compile(schema: Schema): Node {
  let node = compiled.get(schema);
  if (node !== undefined) return node;
  node = new Node(opOf(schema), schema);
  compiled.set(schema, node);
  if (schema.kind === 'map') node.child = compile(schema.values);
  else if (schema.kind === 'list') node.child = compile(schema.items);
  else if (schema.kind === 'any' && schema.variant !== undefined) node.child = compile(schema.variant.object);
  return node;
}

function opOf(schema: Schema): number {
  switch (schema.kind) {
    case 'struct':
      return Op.struct;
    case 'map':
      return Op.map;
    case 'list':
      return Op.list;
    case 'any':
      return schema.variant === undefined ? Op.any : Op.variant;
    case 'scalar':
      return scalarOp(schema.type);
    default:
      return schema satisfies never;
  }
}

function scalarOp(type: ScalarSchema['type']): number {
  if (type === 'integer') return Op.int64;
  return type === 'number' ? Op.double : Op[type];
}

/** The members of a struct's node, which are kept in it. */
export function membersOf(node: Node): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const field of (node.schema as StructSchema).fields.values()) {
    const always = field.zero !== undefined;
    if (always) node.always++;
    members.set(field.name, new Member(compile(field.schema), omits(field), always));
  }
  return (node.members = members);
}

function omits(field: Field): boolean {
  return field.omitEmpty === true;
}
