import { byteLength, forbiddenValue, invalidValue, required, tooLong } from '@kubechain/apimachinery';
import type { CELDeviceSelector, DeviceSelector } from '@kubechain/apimachinery/types/resource/v1';
import type { Rule } from '../../validation/rules.ts';
import { list } from './collections.ts';
import { checkDeviceExpression } from './device-expression.ts';
import { maxExpression, maxSelectors } from './limits.ts';

const expression: Rule<CELDeviceSelector> = ({ expression: source = '' }: Partial<CELDeviceSelector>, cel) => {
  const path = cel.child('expression');
  if (byteLength(source) > maxExpression) return [tooLong(path, maxExpression)];
  const problem = checkDeviceExpression(source);
  if (problem === undefined) return [];
  return [
    problem.kind === 'costly'
      ? forbiddenValue(path, 'too complex, exceeds cost limit')
      : invalidValue(path, source, problem.text),
  ];
};

/**
 * Which devices of a class or request are meant: all that every expression is true of (validateSelectorSlice of
 * pkg/apis/resource/validation, 1.36).
 */
export const selectors = list<DeviceSelector>(maxSelectors, ({ cel }, path) =>
  cel === undefined ? [required(path.child('cel'))] : expression(cel, path.child('cel')),
);
