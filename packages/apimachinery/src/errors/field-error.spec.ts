import { expect } from 'chai';
import { limits } from '../limits/limits.ts';
import { validateFieldManager, validateFinalizers } from '../validation/object-meta.ts';
import { aggregateMessage, areEnough, invalidValue, toCauses } from './field-error.ts';
import { FieldPath } from './field-path.ts';

describe('the errors of fields', () => {
  it('are told once in the message, each in the causes', () => {
    const errors = [invalidValue('a', 1, 'x'), invalidValue('a', 1, 'x'), invalidValue('b', 'c', 'y')];
    expect(aggregateMessage(errors)).to.equal('[a: Invalid value: 1: x, b: Invalid value: "c": y]');
    expect(toCauses(errors).map(({ field }) => field)).to.deep.equal(['a', 'a', 'b']);
  });

  it('print a value once, however often they are told', () => {
    let printed = 0;
    const value = {
      toJSON: () => {
        printed++;
        return 'large';
      },
    };
    const errors = [invalidValue('a', value, 'x')];
    expect(aggregateMessage(errors)).to.equal('a: Invalid value: "large": x');
    expect(toCauses(errors)[0]?.message).to.equal('Invalid value: "large": x');
    expect(printed).to.equal(1);
  });

  it('are enough when none would be told behind them', () => {
    const finalizers = Array.from({ length: 240_000 }, () => '');
    const errors = validateFinalizers(finalizers, FieldPath.of('metadata').child('finalizers'));
    expect(errors.length).to.be.lessThan(100_000);
    expect(areEnough(errors)).to.equal(true);
    expect(toCauses(errors).length).to.be.lessThan(errors.length);
  });

  it('are fewer where each quotes a long text', () => {
    const errors = validateFieldManager('\n'.repeat(100_000), FieldPath.of('manager'));
    expect(errors.length).to.be.lessThan(20);
    expect(toCauses(errors).length).to.be.lessThan(errors.length);
  });

  it('are told as far as refusalText allows', () => {
    const value = 'x'.repeat(limits.refusalText.value / 4);
    const errors = Array.from({ length: 10_000 }, () => invalidValue('a', value, 'y'));
    expect(toCauses(errors)).to.have.length(4);
    expect(aggregateMessage(errors).length).to.be.lessThan(limits.refusalText.value);
  });
});
