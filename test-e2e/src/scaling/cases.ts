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

/** Every case of a kind. */
export function casesOf(subject: Subject): ScalingCase[] {
  return placesOf(subject.kind.schema).flatMap((place) =>
    fillingsOf(place.schema).map((filling) => caseOf(subject, place, filling)),
  );
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

/** One case of each shape, or of each type, in an order and from kinds that a seed decides. */
export function oneOfEach(
  by: 'shape' | 'type',
  cases: readonly ScalingCase[],
  below: (bound: number) => number,
): ScalingCase[] {
  const mixed = [...cases];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return [...new Map(mixed.map((each) => [each[by], each])).values()];
}
