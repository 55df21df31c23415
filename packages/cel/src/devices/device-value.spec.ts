import { expect } from 'chai';
import { compileExpression, isCompileFailure } from '../compile.ts';
import { isCelError } from '../values/values.ts';
import { deviceEnvironment } from './device-environment.ts';
import { deviceValue } from './device-value.ts';

const device = deviceValue({
  driver: 'gpu.example.com',
  attributes: {
    model: { string: 'large' },
    cores: { int: 8 },
    'other.com/ok': { bool: true },
    driver: { version: '1.2.3' },
  },
  capacity: { memory: { value: '10Gi' } },
});

describe('a device as expressions see it', () => {
  const rows: readonly (readonly [expression: string, expected: unknown])[] = [
    ['device.driver == "gpu.example.com"', true],
    ['device.attributes["gpu.example.com"].model == "large"', true],
    ['device.attributes["gpu.example.com"].cores > 7', true],
    ['device.attributes["other.com"].ok', true],
    ['device.attributes["gpu.example.com"].driver.compareTo(semver("1.3.0")) < 0', true],
    ['device.capacity["gpu.example.com"].memory.compareTo(quantity("8Gi")) >= 0', true],
    ['"nobody.com" in device.attributes', false],
    ['has(device.attributes["nobody.com"].model)', false],
    ['"model" in device.attributes["gpu.example.com"]', true],
    ['device.allowMultipleAllocations', false],
    ['device.attributes["gpu.example.com"].nothing == "x"', 'no such key: nothing'],
  ];
  for (const [expression, expected] of rows)
    it(expression, () => {
      const program = compileExpression(expression, deviceEnvironment);
      if (isCompileFailure(program)) throw new Error(program.text);
      const { result } = program.run([device], 1_000_000);
      expect(isCelError(result) ? result.message : result).to.equal(expected);
    });
});
