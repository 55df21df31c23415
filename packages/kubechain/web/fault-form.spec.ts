import { expect } from 'chai';
import { faultRuleOf, type FaultForm } from './fault-form.ts';

const form: FaultForm = {
  target: 'requests',
  verbs: 'create, update',
  resources: 'pods',
  names: 'a b',
  effect: 'status 409',
  count: '',
};
const rules: readonly (readonly [string, Partial<FaultForm>, object])[] = [
  [
    'requests are chosen by verbs and resources',
    {},
    { match: { verbs: ['create', 'update'], resources: ['pods'] }, effect: { kind: 'status', code: 409 } },
  ],
  [
    'watches by resources',
    { target: 'watches', effect: 'delay 2000' },
    { target: 'watch', match: { resources: ['pods'] }, effect: { kind: 'delay', milliseconds: 2_000 } },
  ],
  [
    'what servers call by names',
    { target: 'webhook', effect: 'refuse' },
    { target: 'webhook', match: { names: ['a', 'b'] }, effect: { kind: 'refuse' } },
  ],
  [
    'what is not filled in is left out',
    { verbs: ' ', resources: '', effect: 'cut before', count: '3' },
    { match: {}, effect: { kind: 'cut', when: 'before' }, count: 3 },
  ],
];

describe('the form of a fault', () => {
  for (const [name, filled, rule] of rules)
    it(name, () => {
      expect(faultRuleOf({ ...form, ...filled })).to.deep.equal(rule);
    });
});
