import { expect } from 'chai';
import { detachedSignature } from './detached-signature.ts';

describe('a detached signature', () => {
  const token = { id: 'joshua', secret: 'my voice is my passcode' };
  // Made by cluster-bootstrap 0.36.
  const rows: readonly (readonly [string, string, string])[] = [
    [
      'a text',
      'Hello from the other side. I must have called a thousand times.',
      'VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
    ],
    ['nothing', '', '7Ui1ALizW4jXphVUB7xUqC9vLYLL9RZeOFfVLoB7Tgk'],
  ];
  for (const [name, content, signature] of rows)
    it(`of ${name} is the reference's`, () =>
      expect(detachedSignature(content, token)).to.equal(`eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..${signature}`));
});
