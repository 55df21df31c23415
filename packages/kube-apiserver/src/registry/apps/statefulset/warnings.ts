import { FieldPath } from '@kubechain/apimachinery';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import { claimSpecWarnings } from '../../core/persistentvolumeclaim/warnings.ts';
import { templateWarnings } from '../../core/pod/warnings.ts';

const templatePath = FieldPath.of('spec', 'template');
const claimsPath = FieldPath.of('spec', 'volumeClaimTemplates');

/** What a new stateful set may not have meant (WarningsOnCreate of pkg/registry/apps/statefulset/strategy.go, 1.36). */
export function statefulSetWarnings({ spec }: StatefulSet): string[] {
  return [
    ...templateWarnings(spec?.template, templatePath),
    ...(spec?.volumeClaimTemplates ?? []).flatMap((claim, i) => claimSpecWarnings(claim.spec, claimsPath.index(i))),
    ...historyWarnings(spec),
  ];
}

/**
 * The same of an update; the reference then names the claims' paths otherwise, and templates only when something
 * changed.
 */
export function statefulSetUpdateWarnings({ metadata, spec }: StatefulSet, old: StatefulSet): string[] {
  return [
    ...(metadata?.generation === old.metadata?.generation ? [] : templateWarnings(spec?.template, templatePath)),
    ...(spec?.volumeClaimTemplates ?? []).flatMap((claim, i) =>
      claimSpecWarnings(claim.spec, claimsPath.index(i).child('Spec')),
    ),
    ...historyWarnings(spec),
  ];
}

function historyWarnings(spec: StatefulSet['spec']): string[] {
  return (spec?.revisionHistoryLimit ?? 0) < 0
    ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
    : [];
}
