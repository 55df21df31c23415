import { expect } from 'chai';
import { unescapePath } from './unescape-path.ts';

describe('unescapePath', () => {
  it('reads what is UTF-8, escaped or not', () => {
    expect(unescapePath('/a%20b/%C3%A4%f0%9f%98%80')).to.equal('/a b/ä😀');
    expect(unescapePath(Buffer.from('/ä').toString('latin1'))).to.equal('/ä');
  });
  it('keeps bytes that belong to no character apart', () => {
    expect(unescapePath('/%ff%C3')).to.equal('/\udcff\udcc3');
  });
});
