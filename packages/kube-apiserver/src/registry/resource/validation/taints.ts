import { invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { DeviceTaint, DeviceToleration } from '@kubechain/apimachinery/types/resource/v1';
import { filled, oneOf } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { labelName, labelValue } from './names.ts';

const effects = ['NoExecute', 'NoSchedule', 'None'];

/** Taints of devices (validateDeviceTaint of pkg/apis/resource/validation, 1.36). */
export const taint: Rule<DeviceTaint> = ({ effect, key, value }: Partial<DeviceTaint>, path) => [
  ...labelName(key, path.child('key')),
  ...filled(labelValue)(value, path.child('value')),
  ...oneOf(effects)(effect, path.child('effect')),
];

/** What a request puts up with (validateDeviceToleration). */
export const toleration: Rule<DeviceToleration> = ({ effect, key, operator, value = '' }, path) => [
  ...filled(labelName)(key, path.child('key')),
  ...operatorRule({ operator, value }, path),
  ...((effect ?? '') === '' || effects.includes(effect as string)
    ? []
    : [notSupported(path.child('effect'), effect, effects)]),
];

const operatorRule: Rule<{ readonly operator: string | undefined; readonly value: string }> = (
  { operator, value },
  path,
) => {
  switch (operator ?? '') {
    case 'Exists':
      return value === '' ? [] : [invalidValue(path.child('value'), value, 'must be empty for operator `Exists`')];
    case 'Equal':
      return labelValue(value, path.child('value'));
    case '':
      return [required(path.child('operator'))];
    default:
      return [notSupported(path.child('operator'), operator, ['Equal', 'Exists'])];
  }
};
