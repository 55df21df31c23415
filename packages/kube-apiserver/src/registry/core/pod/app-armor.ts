import { appArmorContainerAnnotationPrefix, FieldPath } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { appArmorProfileOf } from './validation/app-armor-annotations.ts';
import { allContainers } from './validation/container.ts';
import { validateAppArmorProfile } from './validation/security-context.ts';

export const appArmorMessage = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/**
 * Gives containers of a new pod the AppArmor profile that only an annotation names, unless the pod has the same anyway.
 * Returns warnings about annotations that a field should replace (applyAppArmorVersionSkew of pkg/registry/core/pod,
 * 1.36).
 */
export function takeAppArmorAnnotations({ metadata, spec }: Pod): string[] {
  const annotations = metadata?.annotations;
  if (spec === undefined || annotations === undefined || spec.os?.name === 'windows') return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  return allContainers(spec, FieldPath.of('spec')).flatMap(([container]) => {
    const key = `${appArmorContainerAnnotationPrefix}${container.name}`;
    const annotation = annotations[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return [];
    const named = appArmorProfileOf(annotation);
    const profile =
      named !== undefined && validateAppArmorProfile(named, FieldPath.root).length === 0 ? named : undefined;
    if (profile !== undefined) {
      if (semanticEqual(profile, ofPod)) return [];
      (container.securityContext ??= {}).appArmorProfile = profile;
    }
    return [`${FieldPath.of('metadata', 'annotations').key(key).toString()}: ${appArmorMessage}`];
  });
}
