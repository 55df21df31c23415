import {
  forbiddenValue,
  invalidValue,
  seccompContainerAnnotationPrefix,
  seccompPodAnnotation,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath, ObjectMeta } from '@kubechain/apimachinery';
import type { PodSpec, SeccompProfile } from '@kubechain/apimachinery/types/core/v1';
import { allContainers } from './container.ts';
import { validateRelativePath } from './volume-files.ts';

/*
 * Annotations that named seccomp profiles before pods had fields for them: they do nothing any more, but must be right,
 * and say what the
 * fields say (pkg/apis/core/validation, 1.36).
 */

const localPrefix = 'localhost/';
const runtimeDefaults = ['runtime/default', 'docker/default'];

/** Names of profiles (ValidateSeccompPodAnnotations). */
export function validateSeccompAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): FieldError[] {
  const keys = Object.keys(annotations);
  return [
    ...keys.filter((key) => key === seccompPodAnnotation),
    ...keys.filter((key) => key.startsWith(seccompContainerAnnotationPrefix)),
  ].flatMap((key) => validateProfileName(annotations[key] ?? '', path.child(key)));
}

function validateProfileName(name: string, path: FieldPath): FieldError[] {
  if (runtimeDefaults.includes(name) || name === 'unconfined') return [];
  return name.startsWith(localPrefix)
    ? validateRelativePath(name.slice(localPrefix.length), path)
    : [invalidValue(path, name, 'must be a valid seccomp profile')];
}

/** What the annotations say against the fields (validateSeccompAnnotationsAndFields). */
export function validateSeccompMatches(spec: PodSpec, metadata: ObjectMeta | undefined, path: FieldPath): FieldError[] {
  const annotations = metadata?.annotations ?? {};
  const places = [
    { profile: spec.securityContext?.seccompProfile, annotation: annotations[seccompPodAnnotation], at: path },
    ...allContainers(spec, path).map(([container, at]) => ({
      profile: container.securityContext?.seccompProfile,
      annotation: annotations[seccompContainerAnnotationPrefix + (container.name || '')],
      at,
    })),
  ];
  return places.flatMap(({ annotation, at, profile }) =>
    profile === undefined || annotation === undefined
      ? []
      : differences(annotation, profile, at.child('securityContext', 'seccompProfile')),
  );
}

function differences(annotation: string, { localhostProfile, type }: SeccompProfile, path: FieldPath): FieldError[] {
  const otherType = [forbiddenValue(path.child('type'), 'seccomp type in annotation and field must match')];
  switch (type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : otherType;
    case 'RuntimeDefault':
      return runtimeDefaults.includes(annotation) ? [] : otherType;
    case 'Localhost':
      if (!annotation.startsWith(localPrefix)) return otherType;
      return annotation === localPrefix + (localhostProfile ?? '\0')
        ? []
        : [forbiddenValue(path.child('localhostProfile'), 'seccomp profile in annotation and field must match')];
    default:
      return [];
  }
}
