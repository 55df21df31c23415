import { append, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { DownwardAPIVolumeFile } from '@kubechain/apimachinery/types/core/v1';
import { validateFieldRef, validateResourceFieldRef } from './env.ts';
import { fileInVolume, fileMode } from './volume-files.ts';

const fieldsOfPods = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** A file with something that is known of the pod (validateDownwardAPIVolumeFile of pkg/apis/core/validation, 1.36). */
export function validateDownwardAPIFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const { fieldRef, mode, resourceFieldRef } = file;
  const errors = [...(file.path ? [] : [required(path.child('path'))]), ...fileInVolume(file.path, path.child('path'))];
  if (fieldRef !== undefined) {
    append(errors, validateFieldRef(fieldRef, fieldsOfPods, path.child('fieldRef')));
    if (resourceFieldRef !== undefined)
      errors.push(invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceFieldRef !== undefined) {
    const at = path.child('resourceFieldRef');
    append(
      errors,
      resourceFieldRef.containerName
        ? validateResourceFieldRef(resourceFieldRef, at)
        : [required(at.child('containerName'))],
    );
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...fileMode(mode, path.child('mode'))];
}
