import type { Schema } from '@kubechain/apimachinery';
import { shapeOf, type FieldTraits } from './shapes.ts';

/** One step from a value into a part of it: a field, an item of a list, or a value of a map. */
export type Step = { readonly kind: 'field'; readonly name: string } | { readonly kind: 'item' | 'value' };

/** A list, map, string or any value somewhere in a kind. */
export interface Place {
  readonly steps: readonly Step[];
  readonly schema: Schema;
  /** The Go struct that the field is in, and the field: the same in all kinds that use the struct. */
  readonly type: string;
  /** What its values are like for everything but the field's own rules; see {@link shapeOf}. */
  readonly shape: string;
}

/** Every place of a schema that a client decides the size of; a type that holds itself is entered once on each way. */
export function placesOf(schema: Schema): Place[] {
  const places: Place[] = [];
  const within: Schema[] = [];
  const visit = (at: Schema, steps: readonly Step[], { type, ...traits }: FieldTraits & { type: string }): void => {
    if (grows(at)) places.push({ steps, schema: at, type, shape: shapeOf(at, traits) });
    if (within.includes(at)) return;
    within.push(at);
    switch (at.kind) {
      case 'struct':
        for (const { name, patchMergeKey, patchStrategy, schema: of } of at.fields.values())
          if (name !== 'apiVersion' && name !== 'kind')
            visit(of, [...steps, { kind: 'field', name }], {
              type: at.name === undefined ? `${type}.${name}` : `${at.name}.${name}`,
              patchMergeKey,
              patchStrategy,
            });
        break;
      case 'list':
        visit(at.items, [...steps, { kind: 'item' }], { type: `${type}[]` });
        break;
      case 'map':
        visit(at.values, [...steps, { kind: 'value' }], { type: `${type}{}` });
        break;
      case 'any':
      case 'scalar':
        break;
      default:
        at satisfies never;
    }
    within.pop();
  };
  visit(schema, [], { type: '' });
  return places;
}

function grows(schema: Schema): boolean {
  return schema.kind === 'scalar'
    ? schema.type !== 'boolean' && schema.type !== 'int32' && schema.type !== 'double'
    : schema.kind !== 'struct';
}

/** `spec.containers[].env`. */
export function placeText(steps: readonly Step[]): string {
  let text = '';
  for (const step of steps)
    text += step.kind === 'field' ? (text === '' ? step.name : `.${step.name}`) : step.kind === 'item' ? '[]' : '{}';
  return text;
}

/** A value that has `value` at a place, and nothing else but what is on the way. */
export function valueWith(steps: readonly Step[], value: unknown): unknown {
  return steps.reduceRight((inner: unknown, step) => {
    if (step.kind === 'field') return { [step.name]: inner };
    return step.kind === 'item' ? [inner] : { key: inner };
  }, value);
}
