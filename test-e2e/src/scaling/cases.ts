import { hasProtobuf, type KubeObject } from '@kubechain/apimachinery';
import { placeText, placesOf, valueWith, type Place } from './places.ts';
import { fillingsOf, type Filling } from './pump.ts';
import type { Stage } from './stages.ts';
import type { Subject } from './subject.ts';

/** One place of one kind, filled in one way. */
export interface ScalingCase {
  /** `apps/v1 Deployment spec.template.spec.containers distinct`: plays it again, as `--only`. */
  readonly name: string;
  readonly subject: Subject;
  /** The same in all kinds that share the field. */
  readonly type: string;
  /** What is filled: a list, a map, a text (`scalar`) or anything. */
  readonly of: Place['schema']['kind'];
  /** The same for all fields of which one tells of all; with how the kind is written. */
  readonly shape: string;
  /** Of kinds that nobody keeps: the shape of those that somebody does, with which the same is done and more. */
  readonly keptShape?: string;
  /** Whether something comes of it that comes of no other case. */
  concerns(stage: Stage): boolean;
  object(bytes: number): KubeObject;
}

/** Every case of every kind. */
export function* casesOf(...subjects: readonly Subject[]): Generator<ScalingCase> {
  for (const subject of subjects)
    for (const place of placesOf(subject.kind.schema).filter(subject.fills ?? (() => true)))
      for (const filling of fillingsOf(place.schema)) yield caseOf(subject, place, filling);
}

function caseOf(subject: Subject, place: Place, filling: Filling): ScalingCase {
  const { group, kind, version } = subject.kind.gvk;
  const { bodyOf, subresource } = subject;
  const ofWhat = subresource === undefined ? '' : `${subject.name} `;
  const keptShape = `${ofWhat}${codecOf(subject, place)} ${place.shape} ${filling.name}`;
  // A text that a definition has rules for is a text like all others, but for them.
  const { schema } = place;
  const ruled = schema.kind === 'scalar' && Object.keys(schema.validation ?? {}).some((rule) => rule !== 'type');
  return {
    name: `${subject.name} ${placeText(place.steps)} ${filling.name}`,
    subject,
    type: `${place.type} ${filling.name}`,
    of: place.schema.kind,
    ...(subject.resource === undefined && bodyOf === undefined
      ? { shape: `not stored: ${keptShape}`, keptShape }
      : { shape: keptShape }),
    concerns: ({ looksAt }) =>
      looksAt === 'validations' ||
      (bodyOf === undefined &&
        !ruled &&
        !(looksAt === 'items' && (filling.repeats === true || subresource !== undefined))),
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
function codecOf({ kind }: Subject, { schema }: Place): string {
  if (kind.unstructured === true) return 'custom';
  return schema.kind === 'scalar' ? 'built-in' : hasProtobuf(kind.schema) ? 'protobuf' : 'JSON only';
}

/**
 * One case of each shape, or of each type, in an order and from kinds that a seed decides. A million and a half are
 * looked at one by one: kept all at once, they would have the collector work while others are measured.
 * @param options.only a part of the names of those that count
 * @param options.of what they fill
 */
export function oneOfEach(
  by: 'shape' | 'type',
  cases: Iterable<ScalingCase>,
  options: { readonly seed: number; readonly only?: string; readonly of?: string },
): ScalingCase[] {
  const { of = '', only = '', seed } = options;
  const chosen = new Map<string, { readonly at: ScalingCase; readonly rank: number }>();
  for (const at of cases) {
    if (!at.name.includes(only) || !at.of.includes(of)) continue;
    const rank = rankOf(at.name, seed);
    const other = chosen.get(at[by]);
    if (other === undefined || rank < other.rank) chosen.set(at[by], { at, rank });
  }
  return [...chosen.values()]
    .filter(({ at: { keptShape } }) => by === 'type' || keptShape === undefined || !chosen.has(keptShape))
    .sort((a, b) => a.rank - b.rank)
    .map(({ at }) => at);
}

/** FNV-1a of a name behind a seed. */
function rankOf(name: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  // What differs in its last characters only is far apart too.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
