import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createServer, request as httpsRequest, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AuthenticatedUser, RequestAuthenticator } from '../authenticator.ts';
import { requestHeaderAuthenticator, STANDARD_REQUEST_HEADERS } from '../request-header/request-header.ts';
import { followCertificatePool, loadCertificatePool } from './certificate-pool.ts';
import { CLIENT_CERTIFICATE_TLS_OPTIONS } from './client-certificate.ts';
import { clientCertificateGuard, x509Authenticator } from './x509-authenticator.ts';

const fixture = (name: string): string => new URL(`fixtures/${name}`, import.meta.url).pathname;
const clock = { now: () => Date.parse('2030-01-01T00:00:00Z') };

describe('x509 authentication over TLS', () => {
  let server: Server;
  let authenticator: RequestAuthenticator;

  before(async () => {
    const pem = readFileSync(fixture('server.pem'));
    server = createServer({ cert: pem, key: pem, ...CLIENT_CERTIFICATE_TLS_OPTIONS }, (request, response) => {
      Promise.resolve()
        .then(() => authenticator.authenticate(request))
        .then(
          (known) => response.end(JSON.stringify({ known, remoteUser: request.headers['x-remote-user'] })),
          (error: Error) => response.end(JSON.stringify({ error: error.message })),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  async function ask(
    certificate?: string,
    headers: Record<string, string | string[]> = {},
  ): Promise<{ known?: AuthenticatedUser; error?: string; remoteUser?: string }> {
    const pem = certificate === undefined ? undefined : readFileSync(fixture(certificate));
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          host: '127.0.0.1',
          port: (server.address() as AddressInfo).port,
          agent: false,
          headers,
          ca: readFileSync(fixture('ca.pem')),
          ...(pem === undefined ? {} : { cert: pem, key: pem }),
        },
        (response) => {
          let body = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => (body += chunk))
            .on('end', () => resolve(JSON.parse(body) as object));
        },
      );
      outgoing.on('error', reject).end();
    });
  }

  describe('of clients of --client-ca-file', () => {
    before(() => {
      const pool = loadCertificatePool(fixture('ca.pem'), 'client-ca-file');
      authenticator = x509Authenticator(() => pool, clock);
    });

    it('takes name, groups, uid and credential id from the subject', async () => {
      const { known } = await ask('alice.pem');
      expect(known?.user.name).to.equal('alice');
      expect(known?.user.groups).to.deep.equal(['devs', 'ops, night\nshift']);
      expect(known?.user.uid).to.equal('alice-uid');
      expect(known?.user.extra?.['authentication.kubernetes.io/credential-id']?.[0]).to.match(
        /^X509SHA256=[0-9a-f]{64}$/,
      );
    });
    it('has no opinion without a certificate, or without a common name', async () => {
      expect(await ask()).to.deep.equal({});
      expect(await ask('nameless.pem')).to.deep.equal({});
    });
    it('tells for how long certificates are still good, of bad ones too', async () => {
      const seconds: number[] = [];
      const pool = loadCertificatePool(fixture('ca.pem'), 'client-ca-file');
      const before = authenticator;
      authenticator = x509Authenticator(() => pool, clock, { observe: (left) => seconds.push(left) });
      await ask('alice.pem');
      await ask();
      await ask('expired.pem');
      authenticator = before;
      expect(seconds.map(Math.sign)).to.deep.equal([1, -1]);
    });
    it('follows intermediates that the client sends', async () => {
      expect((await ask('dave-with-intermediate.pem')).known?.user.name).to.equal('dave');
    });
    it('judges anew when the authorities are others', async () => {
      let pool = loadCertificatePool(fixture('other-ca.pem'), 'client-ca-file');
      const following = x509Authenticator(() => pool, clock);
      const before = authenticator;
      authenticator = following;
      expect((await ask('alice.pem')).error).to.equal('x509: certificate signed by unknown authority');
      pool = loadCertificatePool(fixture('ca.pem'), 'client-ca-file');
      expect((await ask('alice.pem')).known?.user.name).to.equal('alice');
      authenticator = before;
    });
    for (const [certificate, message] of [
      ['stranger.pem', 'x509: certificate signed by unknown authority'],
      ['server-only.pem', 'x509: certificate specifies an incompatible key usage'],
      ['expired.pem', /^x509: certificate has expired or is not yet valid/],
    ] as const) {
      it(`refuses ${certificate}`, async () => {
        const { error } = await ask(certificate);
        if (typeof message === 'string') expect(error).to.equal(message);
        else expect(error).to.match(message);
      });
    }
  });

  describe('of front proxies', () => {
    const guard = (allowedNames: string[]): RequestAuthenticator =>
      clientCertificateGuard(
        { pool: followCertificatePool(fixture('other-ca.pem'), 'requestheader-client-ca-file'), allowedNames, clock },
        requestHeaderAuthenticator(STANDARD_REQUEST_HEADERS),
      );
    const headers = {
      'X-Remote-User': 'zoë',
      'X-Remote-Group': ['a', 'b, c'],
      'X-Remote-Uid': '7',
      'X-Remote-Extra-Example.com%2fScopes': 'x',
    };
    const encoded = { ...headers, 'X-Remote-User': Buffer.from('zoë').toString('latin1') };

    it('believes the headers of an allowed proxy, and takes them off', async () => {
      authenticator = guard(['front-proxy']);
      const { known, remoteUser } = await ask('front-proxy.pem', encoded);
      expect(known?.user).to.deep.equal({
        name: 'zoë',
        uid: '7',
        groups: ['a', 'b, c'],
        extra: { 'example.com/scopes': ['x'] },
      });
      expect(remoteUser).to.equal(undefined);
    });
    it('believes nobody else', async () => {
      authenticator = guard(['front-proxy']);
      expect(await ask(undefined, encoded)).to.have.property('remoteUser');
      expect((await ask('alice.pem', encoded)).error).to.equal('x509: certificate signed by unknown authority');
      expect((await ask('stranger.pem', encoded)).error).to.equal(
        'x509: subject with cn=alice is not in the allowed list',
      );
    });
    it('lets every certificate of its CA through when no names are given', async () => {
      authenticator = guard([]);
      expect((await ask('stranger.pem', encoded)).known?.user.name).to.equal('zoë');
    });
  });

  it('names the flag of a file that holds no certificate', () => {
    expect(() => loadCertificatePool('/nonexistent', 'client-ca-file')).to.throw(
      /^--client-ca-file: cannot read certificates from '\/nonexistent'/,
    );
    expect(() => loadCertificatePool(new URL(import.meta.url).pathname, 'client-ca-file')).to.throw(
      /holds no PEM certificate/,
    );
  });
});
