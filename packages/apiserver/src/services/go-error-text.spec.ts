import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { goErrorText } from './go-error-text.ts';

describe('errors of connections', () => {
  const refused = (more: object): Error => Object.assign(new Error('x'), { code: 'ECONNREFUSED', ...more });

  it('tell the address that a name stood for', async () => {
    const socket = connect({ port: 1, host: 'localhost' });
    const [error] = (await once(socket, 'error').catch((reason: unknown) => [reason])) as [Error];
    expect(goErrorText(error, 'localhost:1')).to.match(
      /^dial tcp (?:127\.0\.0\.1|\[::1\]):1: connect: connection refused$/,
    );
  });

  it('tell the first of several addresses', () => {
    const errors = [{ address: '::1', port: 8443 }, { address: '127.0.0.1', port: 8443 }]; // prettier-ignore
    expect(goErrorText(refused({ errors }), 'a:8443')).to.equal('dial tcp [::1]:8443: connect: connection refused');
  });

  it('tell the name where no address is known', () => {
    expect(goErrorText(refused({}), 'a:8443')).to.equal('dial tcp a:8443: connect: connection refused');
  });
});
