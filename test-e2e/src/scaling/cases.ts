import { hasProtobuf, type KubeObject } from '@kubechain/apimachinery';
import { placeText, placesOf, valueWith, type Place } from './places.ts';
import { fillingsOf, type Filling } from './pump.ts';
import type { Subject } from './subject.ts';

/** One place of one kind, filled in one way. */
export interface ScalingCase {
  /** `apps/v1 Deployment spec.template.spec.containers distinct`: plays it again, as `--only`. */
  readonly name: string;
  readonly subject: Subject;
  /** The same in all kinds that share the field. */
  readonly type: string;
  /** The same for all fields of which one tells of all; with how the kind is written. */
  readonly shape: string;
  object(bytes: number): KubeObject;
}

/** Every case of every kind. */
export function* casesOf(...subjects: readonly Subject[]): Generator<ScalingCase> {
  for (const subject of subjects)
    for (const place of placesOf(subject.kind.schema))
      for (const filling of fillingsOf(place.schema)) yield caseOf(subject, place, filling);
}

function caseOf(subject: Subject, place: Place, filling: Filling): ScalingCase {
  const { group, kind, version } = subject.kind.gvk;
  return {
    name: `${subject.name} ${placeText(place.steps)} ${filling.name}`,
    subject,
    type: `${place.type} ${filling.name}`,
    shape: `${codecOf(subject, place)} ${place.shape} ${filling.name}`,
    object: (bytes) => {
      const { metadata, ...rest } = valueWith(place.steps, filling.make(bytes)) as KubeObject;
      return {
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
        metadata: { name: 'pumped', namespace: 'default', ...metadata },
        ...rest,
      };
    },
  };
}

/** How objects of a kind are kept and written, as far as it matters for a place: one text is like another. */
function codecOf({ kind, resource }: Subject, { schema }: Place): string {
  if (schema.kind === 'scalar') return kind.unstructured === true ? 'custom' : 'built-in';
  const form = kind.unstructured === true ? 'custom' : hasProtobuf(kind.schema) ? 'protobuf' : 'JSON only';
  return resource === undefined ? `${form}, not stored` : form;
}

/**
 * One case of each shape, or of each type, in an order and from kinds that a seed decides. A million and a half are
 * looked at one by one: kept all at once, they would have the collector work while others are measured.
 * @param options.only a part of the names of those that count
 */
export function oneOfEach(
  by: 'shape' | 'type',
  cases: Iterable<ScalingCase>,
  options: { readonly seed: number; readonly only?: string },
): ScalingCase[] {
  const { only = '', seed } = options;
  const chosen = new Map<string, { readonly at: ScalingCase; readonly rank: number }>();
  for (const at of cases) {
    if (!at.name.includes(only)) continue;
    const rank = rankOf(at.name, seed);
    const other = chosen.get(at[by]);
    if (other === undefined || rank < other.rank) chosen.set(at[by], { at, rank });
  }
  return [...chosen.values()].sort((a, b) => a.rank - b.rank).map(({ at }) => at);
}

/** FNV-1a of a name behind a seed. */
function rankOf(name: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  // What differs in its last characters only is far apart too.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
