import { invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { KeyToPath } from '@kubechain/apimachinery/types/core/v1';
import { all, fields, inRange, needed } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';

const modeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Permissions of a file. */
export const fileMode = inRange(0, 0o777, modeMessage);

/** A path below a directory that must not lead out of it. */
export function validateRelativePath(text: string, path: FieldPath): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalidValue(path, text, 'must be a relative path')] : []),
    ...(text.split('/').includes('..') ? [invalidValue(path, text, "must not contain '..'")] : []),
  ];
}

/** The same for files of a volume, whose names must not begin as the kubelet's own do. */
export const fileInVolume: Rule<string | undefined> = (text = '', path) => [
  ...validateRelativePath(text, path),
  ...(text.startsWith('..') && !text.startsWith('../') ? [invalidValue(path, text, "must not start with '..'")] : []),
];

/** A key of a map and the file that it becomes. */
export const keyToPath = fields<KeyToPath>({ key: needed(), path: all(needed(), fileInVolume), mode: fileMode });
