import { expect } from 'chai';
import { SharedBytes } from './shared-bytes.ts';

describe('SharedBytes', () => {
  it('are made once for all who have them at the same time, parts of them too', async () => {
    let made = 0;
    const shared = new SharedBytes(async () => {
      made++;
      return Buffer.from('some bytes');
    });
    const [one, other] = await Promise.all([shared.get(), shared.get()]);
    const part = one.subarray(5);
    const later = await shared.get();
    expect([one, other, later].map(String)).to.deep.equal(['some bytes', 'some bytes', 'some bytes']);
    expect(later.buffer === part.buffer).to.equal(true);
    expect(made).to.equal(1);
  });

  it('are made again where they could not be', async () => {
    let tries = 0;
    const shared = new SharedBytes(async () => {
      if (tries++ === 0) throw new Error('not yet');
      return Buffer.from('b');
    });
    let text = '';
    await Promise.resolve(shared.get()).catch((error: unknown) => (text = String(error)));
    expect(text).to.equal('Error: not yet');
    expect(String(await shared.get())).to.equal('b');
  });
});
