import type { KubeObject } from '@kubechain/apimachinery';
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

/** A share of the cases, by a seed: what several kinds share is taken once, from one of them. */
export function shareOf(cases: readonly ScalingCase[], share: number, below: (bound: number) => number): ScalingCase[] {
  const mixed = [...cases];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  const seen = new Set<string>();
  const taken: ScalingCase[] = [];
  for (const one of mixed) {
    if (taken.length >= share) break;
    if (seen.has(one.type)) continue;
    seen.add(one.type);
    taken.push(one);
  }
  return taken;
}
