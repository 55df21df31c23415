import { expect } from 'chai';
import { SharedRevision } from './shared-revision.ts';
import { settle } from '@kubechain/apimachinery/testing';

describe('SharedRevision', () => {
  it('gives a request only a read that started after it, and shares that read', async () => {
    const reads: ((revision: number) => void)[] = [];
    const shared = new SharedRevision(
      () =>
        new Promise((resolve) => {
          reads.push(resolve);
        }),
    );
    const early = [shared.current(), shared.current()];
    await settle();
    expect(reads.length).to.equal(1);
    const late = [shared.current(), shared.current(), shared.current()];
    await settle();
    expect(reads.length, 'one at a time').to.equal(1);
    reads[0]!(5);
    await settle();
    expect(await Promise.all(early)).to.deep.equal([5, 5]);
    expect(reads.length).to.equal(2);
    reads[1]!(9);
    expect(await Promise.all(late)).to.deep.equal([9, 9, 9]);
  });

  it('fails those who shared the read that failed, and nobody else', async () => {
    let fail = true;
    const shared = new SharedRevision(() => (fail ? Promise.reject(new Error('down')) : Promise.resolve(3)));
    const failures = await Promise.allSettled([shared.current(), shared.current()]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    fail = false;
    expect(await shared.current()).to.equal(3);
  });
});
