import { appArmorContainerAnnotationPrefix, forbiddenValue, goQuote, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath, ObjectMeta } from '@kubechain/apimachinery';
import type { AppArmorProfile, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { allContainers } from './container.ts';

const localhostPrefix = 'localhost/';

/** The profile that an annotation means; undefined for what means none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith(localhostPrefix) ? annotation.slice(localhostPrefix.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/**
 * Annotations of containers that are there, with profiles that there can be (ValidateAppArmorPodAnnotations of
 * pkg/apis/core/validation, 1.36).
 */
export function validateAppArmorAnnotations(
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec | undefined,
  path: FieldPath,
): FieldError[] {
  const names = new Set(spec === undefined ? [] : allContainers(spec, path).map(([{ name }]) => name));
  return Object.entries(annotations)
    .filter(([key]) => key.startsWith(appArmorContainerAnnotationPrefix))
    .flatMap(([key, value]) => {
      const name = key.slice(appArmorContainerAnnotationPrefix.length);
      const known =
        value === '' || value === 'runtime/default' || value === 'unconfined' || value.startsWith(localhostPrefix);
      return [
        ...(names.has(name) ? [] : [invalidValue(path.key(key), name, 'container not found')]),
        ...(known ? [] : [invalidValue(path.key(key), value, `invalid AppArmor profile name: ${goQuote(value)}`)]),
      ];
    });
}

/**
 * Fields and annotations of a new pod say the same (validateAppArmorAnnotationsAndFieldsMatchOnCreate of
 * pkg/apis/core/validation, 1.36).
 */
export function validateAppArmorMatches(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  specPath: FieldPath,
): FieldError[] {
  if (spec.os?.name === 'windows') return [];
  return allContainers(spec, specPath).flatMap(([{ name, securityContext }, at]) => {
    const field = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = metadata?.annotations?.[`${appArmorContainerAnnotationPrefix}${name}`];
    if (field === undefined || annotation === undefined) return [];
    const path = at.child('securityContext', 'appArmorProfile');
    const typeDiffers = [forbiddenValue(path.child('type'), 'apparmor type in annotation and field must match')];
    switch (field.type) {
      case 'Unconfined':
        return annotation === 'unconfined' ? [] : typeDiffers;
      case 'RuntimeDefault':
        return annotation === 'runtime/default' ? [] : typeDiffers;
      case 'Localhost':
        if (!annotation.startsWith(localhostPrefix)) return typeDiffers;
        return annotation.slice(localhostPrefix.length) === field.localhostProfile
          ? []
          : [forbiddenValue(path.child('localhostProfile'), 'apparmor profile in annotation and field must match')];
      default:
        return [];
    }
  });
}
