import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { deleteParameters } from './delete-options.ts';

const unread = (): KubeObject => ({ dryRun: ['All'], ignoreStoreReadErrorWithClusterBreakingPotential: true });

describe('deleteParameters of objects to be deleted unread', () => {
  it('refuses to try it before 1.37', () => {
    expect(() => deleteParameters(unread(), { unsafeDeletion: true })).to.throw('cannot be set together with .dryRun');
  });

  it('lets it be tried since 1.37', () => {
    const { options } = deleteParameters(unread(), { unsafeDeletion: true, release: { since: () => true } });
    expect(options.dryRun).to.equal(true);
  });
});
