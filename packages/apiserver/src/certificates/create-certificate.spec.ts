import { expect } from 'chai';
import { generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import { createCertificate, type CertificateOptions } from './create-certificate.ts';

const notBefore = new Date('2026-01-01T00:00:00Z');
const notAfter = new Date('2036-01-01T00:00:00Z');

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const ec = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = (): Pair => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = (): Pair => generateKeyPairSync('ed25519');

function certificate(key: Pair, options: Partial<CertificateOptions> = {}): string {
  return createCertificate({
    commonName: 'test',
    isCA: false,
    notBefore,
    notAfter,
    publicKey: key.publicKey,
    signingKey: key.privateKey,
    ...options,
  });
}

describe('createCertificate', () => {
  for (const [name, make] of [
    ['EC', ec],
    ['RSA', rsa],
    ['Ed25519', ed25519],
  ] as const) {
    it(`makes a chain that OpenSSL believes, with ${name} keys`, () => {
      const caKey = make();
      const ca = certificate(caKey, { commonName: 'the ca', isCA: true });
      const leafKey = make();
      const leaf = new X509Certificate(
        certificate(leafKey, {
          commonName: 'leaf',
          organization: 'system:masters',
          signingKey: caKey.privateKey,
          issuer: ca,
          extendedUsages: ['clientAuth'],
        }),
      );
      const issuer = new X509Certificate(ca);
      expect(issuer.verify(caKey.publicKey)).to.equal(true);
      expect(leaf.verify(caKey.publicKey)).to.equal(true);
      expect(leaf.verify(leafKey.publicKey)).to.equal(false);
      // Compares names, key identifiers and key usage.
      expect(leaf.checkIssued(issuer)).to.equal(true);
      expect(issuer.checkIssued(issuer)).to.equal(true);
      expect([issuer.ca, leaf.ca]).to.deep.equal([true, false]);
      expect(leaf.checkPrivateKey(leafKey.privateKey)).to.equal(true);
    });
  }
  it('says who, how long and for what', () => {
    const made = new X509Certificate(
      certificate(ec(), { commonName: 'ä user', organization: 'group', extendedUsages: ['serverAuth', 'clientAuth'] }),
    );
    expect(made.subject).to.equal('O=group\nCN=ä user');
    expect(made.issuer).to.equal(made.subject);
    expect([made.validFromDate, made.validToDate]).to.deep.equal([notBefore, notAfter]);
    expect(made.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(made.serialNumber).to.match(/^[4-7][0-9A-F]{31}$/);
  });
  it('ends after 2049', () => {
    expect(
      new X509Certificate(certificate(ec(), { notAfter: new Date('2060-02-03T04:05:06Z') })).validToDate,
    ).to.deep.equal(new Date('2060-02-03T04:05:06Z'));
  });
  it('names hosts and addresses', () => {
    const made = new X509Certificate(
      certificate(ec(), {
        names: [
          'localhost',
          'a.example.com',
          '127.0.0.1',
          '::1',
          '2001:db8::ff:0',
          '::ffff:10.0.0.1',
          '1:2:3:4:5:6:7:8',
        ],
      }),
    );
    expect(made.subjectAltName).to.equal(
      'DNS:localhost, DNS:a.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP ' +
        'Address:2001:DB8:0:0:0:0:FF:0, IP Address:0:0:0:0:0:FFFF:A00:1, IP Address:1:2:3:4:5:6:7:8',
    );
    expect(made.checkHost('a.example.com')).to.equal('a.example.com');
    expect(made.checkIP('127.0.0.1')).to.equal('127.0.0.1');
    expect(made.checkIP('127.0.0.2')).to.equal(undefined);
  });
  it('is good for a verified connection both ways', async () => {
    const now = Date.now();
    const lasting = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 60_000) };
    const caKey = ec();
    const ca = certificate(caKey, { ...lasting, commonName: 'ca', isCA: true });
    const issued = (
      key: Pair,
      options: Partial<CertificateOptions>,
    ): { readonly key: string; readonly cert: string } => ({
      key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      cert: certificate(key, { ...lasting, signingKey: caKey.privateKey, issuer: ca, ...options }),
    });
    const server = createServer(
      {
        ...issued(ec(), { names: ['127.0.0.1'], extendedUsages: ['serverAuth'] }),
        ca,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (socket) => {
        socket.end(`hello ${String(socket.getPeerCertificate().subject.CN)}`);
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = connect({
      host: '127.0.0.1',
      port,
      ca,
      ...issued(rsa(), { commonName: 'me', extendedUsages: ['clientAuth'] }),
    });
    const [data] = (await once(client, 'data')) as [Buffer];
    expect(data.toString()).to.equal('hello me');
    client.destroy();
    server.close();
    await once(server, 'close');
  });
});
