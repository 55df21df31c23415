import { badRequest } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import { createAdmissionChain } from './chain.ts';
import { Reinvocation } from './reinvocation.ts';

const attributes = (operation: AdmissionOperation): AdmissionAttributes =>
  ({ operation, reinvocation: new Reinvocation() }) as AdmissionAttributes;

describe('createAdmissionChain', () => {
  const calls: string[] = [];
  const plugin = (
    name: string,
    operations: readonly AdmissionOperation[],
    phases: { admit?: () => void | Promise<void>; validate?: () => void },
  ): AdmissionPlugin => ({
    name,
    handles: (operation) => operations.includes(operation),
    ...(phases.admit === undefined
      ? {}
      : {
          admit: () => {
            calls.push(`${name} admit`);
            return phases.admit?.();
          },
        }),
    ...(phases.validate === undefined
      ? {}
      : {
          validate: () => {
            calls.push(`${name} validate`);
            phases.validate?.();
          },
        }),
  });
  beforeEach(() => {
    calls.length = 0;
  });

  it('runs the plugins of an operation in order', async () => {
    const chain = createAdmissionChain([
      plugin('a', ['CREATE'], { admit: () => Promise.resolve() }),
      plugin('b', ['UPDATE'], { admit: () => undefined }),
      plugin('c', ['CREATE'], { admit: () => undefined, validate: () => undefined }),
    ]);
    await chain.admit(attributes('CREATE'));
    await chain.validate(attributes('CREATE'));
    expect(calls).to.deep.equal(['a admit', 'c admit', 'c validate']);
  });

  it('runs mutating plugins once more, and not twice, when one asks for it', async () => {
    const request = attributes('CREATE');
    const chain = createAdmissionChain([
      plugin('a', ['CREATE'], { admit: () => undefined }),
      plugin('b', ['CREATE'], {
        admit: () => {
          request.reinvocation.ask();
        },
        validate: () => undefined,
      }),
    ]);
    await chain.admit(request);
    await chain.validate(request);
    expect(calls).to.deep.equal(['a admit', 'b admit', 'a admit', 'b admit', 'b validate']);
    expect(request.reinvocation.again).to.equal(true);
  });

  it('stops at the first that refuses, and tells how long each took', async () => {
    const observed: string[] = [];
    const chain = createAdmissionChain(
      [
        plugin('a', ['CREATE'], { admit: () => undefined }),
        plugin('b', ['CREATE'], {
          admit: () => {
            throw badRequest('no');
          },
        }),
        plugin('c', ['CREATE'], { admit: () => undefined }),
      ],
      {
        plugin: (name, phase, operation) => ({
          observe: (_seconds, rejected) => {
            observed.push(`${name} ${phase} ${operation} ${rejected}`);
          },
        }),
        step: (phase, operation) => ({
          observe: (_seconds, rejected) => {
            observed.push(`${phase} ${operation} ${rejected}`);
          },
        }),
      },
    );
    let message = '';
    try {
      await chain.admit(attributes('CREATE'));
    } catch (error) {
      message = String(error);
    }
    expect(message).to.contain('no');
    expect(observed).to.deep.equal(['a admit CREATE false', 'b admit CREATE true', 'admit CREATE true']);
  });

  it('is empty without plugins, and does nothing for operations that none handles', () => {
    expect(createAdmissionChain([]).empty).to.equal(true);
    const chain = createAdmissionChain([plugin('a', ['CREATE'], { admit: () => undefined })]);
    expect([chain.empty, chain.handles('CREATE'), chain.handles('DELETE')]).to.deep.equal([false, true, false]);
    expect(chain.admit(attributes('DELETE'))).to.equal(undefined);
  });
});
