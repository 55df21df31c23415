import { invalidValue, isDNS1123Label, isRelaxedEnvVarName } from '@kubechain/apimachinery';
import type { FileKeySelector } from '@kubechain/apimachinery/types/core/v1';
import { all, fields, format, needed } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';

const noStepsBack: Rule<string> = (text, path) =>
  text.split('/').includes('..') ? [invalidValue(path, text, "must not contain '..'")] : [];

/** A variable that a file of a volume defines (validateFileKeySelector of pkg/apis/core/validation, 1.36). */
export const fileKeyRules = fields<FileKeySelector>({
  key: needed(format(isRelaxedEnvVarName)),
  volumeName: needed(format(isDNS1123Label)),
  path: needed(all(noStepsBack)),
});
