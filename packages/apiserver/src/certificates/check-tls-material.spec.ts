import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { checkTLSMaterial } from './check-tls-material.ts';

describe('TLS material', () => {
  const pem = (name: string): Buffer =>
    readFileSync(new URL(`../authentication/x509/fixtures/${name}.pem`, import.meta.url));
  const flags = { cert: 'x-certfile', ca: 'x-cafile' };

  it('is good when certificate and key fit', () => {
    checkTLSMaterial({ cert: pem('alice'), key: pem('alice'), ca: pem('ca'), flags });
    checkTLSMaterial({ flags });
  });
  for (const [what, material, message] of [
    [
      'a key of another certificate',
      { cert: pem('alice'), key: pem('front-proxy') },
      /^--x-certfile: cannot be used: .*key values mismatch/,
    ],
    ['no certificate', { cert: Buffer.from('nothing'), key: pem('alice') }, /^--x-certfile: cannot be used: /],
    ['an authority that is none', { ca: Buffer.from('nothing') }, /^--x-cafile: cannot be used: /],
  ] as const) {
    it(`is refused: ${what}`, () => {
      expect(() => {
        checkTLSMaterial({ ...material, flags });
      }).to.throw(message);
    });
  }
});
