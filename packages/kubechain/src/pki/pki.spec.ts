import { expect } from 'chai';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { adoptCertificateFiles, readCertificateFiles } from './certificate-files.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { ensurePKI as beginPKI, type PKI } from './pki.ts';

const nowMs = Date.now();

/** With all files written. */
async function ensurePKI(...args: Parameters<typeof beginPKI>): Promise<PKI> {
  const pki = await beginPKI(...args);
  await pki.admin;
  return pki;
}
const DAY_MS = 24 * 3600 * 1000;

describe('certificates', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'kubechain-pki-'))));
  afterEach(() => rmSync(directory, { recursive: true }));
  const content = (): Record<string, string> =>
    Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));

  it('are of the same names and key where they have expired, as long as the key is', async () => {
    const { ca, expiredServingFile, serving } = await ensurePKI(directory, { nowMs, lasting: true });
    const expired = (): X509Certificate => new X509Certificate(readFileSync(expiredServingFile ?? ''));
    const [first, good] = [expired(), new X509Certificate(readFileSync(serving.certFile))];
    expect(first.validToDate.getTime()).to.be.lessThan(nowMs);
    expect(first.subjectAltName).to.equal(good.subjectAltName);
    expect(first.checkPrivateKey(createPrivateKey(readFileSync(serving.keyFile)))).to.equal(true);
    expect(first.verify(new X509Certificate(readFileSync(ca.certFile)).publicKey)).to.equal(true);
    await ensurePKI(directory, { nowMs, lasting: true });
    expect(expired().fingerprint256).to.equal(first.fingerprint256);
    rmSync(serving.keyFile);
    rmSync(serving.certFile);
    await ensurePKI(directory, { nowMs, lasting: true });
    expect(expired().checkPrivateKey(createPrivateKey(readFileSync(serving.keyFile)))).to.equal(true);
  });

  it("are there for servers before the administrator's, which none waits for", async () => {
    const { admin } = await beginPKI(directory, { nowMs });
    expect(Object.keys(content())).to.include('sa.key').and.not.include('admin.key');
    const { cert, key } = await admin;
    expect(content()).to.include({ 'admin.crt': cert, 'admin.key': key });
  });

  it('are made once, for the owner only', async () => {
    expect((await ensurePKI(directory, { nowMs })).made).to.equal(true);
    const first = content();
    expect(Object.keys(first).sort()).to.deep.equal([
      'admin.crt',
      'admin.key',
      'apiserver-kubelet-client.crt',
      'apiserver-kubelet-client.key',
      'apiserver.crt',
      'apiserver.key',
      'ca.crt',
      'ca.key',
      'controller-manager.crt',
      'controller-manager.key',
      'front-proxy-ca.crt',
      'front-proxy-ca.key',
      'front-proxy-client.crt',
      'front-proxy-client.key',
      'sa.key',
      'sa.pub',
    ]);
    for (const name of Object.keys(first)) expect(statSync(join(directory, name)).mode & 0o777, name).to.equal(0o600);
    expect((await ensurePKI(directory, { nowMs })).made).to.equal(false);
    expect(content()).to.deep.equal(first);
  });
  it("work: a client with the kubeconfig's certificates and the server know each other by every name", async () => {
    const { serving, caCertificate, ca, ...pki } = await ensurePKI(directory, { nowMs });
    const admin = await pki.admin;
    const server = createServer(
      {
        cert: readFileSync(serving.certFile),
        key: readFileSync(serving.keyFile),
        ca: readFileSync(ca.certFile),
        requestCert: true,
      },
      (request, response) => {
        response.end(request.socket instanceof TLSSocket ? request.socket.getPeerX509Certificate()?.subject : '');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      for (const servername of ['localhost', 'kubernetes.default.svc.cluster.local', '127.0.0.1']) {
        const subject = await new Promise<string>((resolve, reject) => {
          get(
            {
              host: '127.0.0.1',
              port: (server.address() as AddressInfo).port,
              agent: false,
              ca: caCertificate,
              cert: admin.cert,
              key: admin.key,
              ...(servername === '127.0.0.1' ? {} : { servername }),
            },
            (response) => {
              let body = '';
              response
                .setEncoding('utf8')
                .on('data', (chunk: string) => (body += chunk))
                .on('end', () => resolve(body));
            },
          ).on('error', reject);
        });
        expect(subject).to.equal('O=system:masters\nCN=kubernetes-admin');
      }
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
  it('are renewed before they end, under the same CA', async () => {
    const first = await ensurePKI(directory, { nowMs });
    const later = await ensurePKI(directory, { nowMs: nowMs + 340 * DAY_MS });
    expect(later.made).to.equal(true);
    expect(later.caCertificate).to.equal(first.caCertificate);
    const certificate = new X509Certificate(readFileSync(later.serving.certFile));
    expect(certificate.validToDate.getTime()).to.be.greaterThan(nowMs + 700 * DAY_MS);
    expect(certificate.verify(new X509Certificate(first.caCertificate).publicKey)).to.equal(true);
  });
  it('are made anew when they lack a name or another CA signed them', async () => {
    await ensurePKI(directory, { nowMs });
    const { serving } = await ensurePKI(directory, { nowMs, names: ['my.host'] });
    expect(new X509Certificate(readFileSync(serving.certFile)).checkHost('my.host')).to.equal('my.host');
    rmSync(join(directory, 'ca.crt'));
    rmSync(join(directory, 'ca.key'));
    const { ca } = await ensurePKI(directory, { nowMs });
    expect(
      new X509Certificate(readFileSync(serving.certFile)).verify(
        new X509Certificate(readFileSync(ca.certFile)).publicKey,
      ),
    ).to.equal(true);
  });
  for (const [title, file, text, message] of [
    [
      'a corrupt certificate',
      'ca.crt',
      'nonsense',
      /ca\.crt' is no certificate \(.+\): put it right, or delete it and its partner to have them made anew$/,
    ],
    ['a corrupt key', 'apiserver.key', 'nonsense', /apiserver\.key' is no private key/],
    ['a corrupt signing key', 'sa.key', 'nonsense', /sa\.key' is no private key/],
  ] as const) {
    it(`name the file: ${title}`, async () => {
      await ensurePKI(directory, { nowMs });
      writeFileSync(join(directory, file), text);
      expect(
        await ensurePKI(directory, { nowMs }).then(
          () => '',
          (error: Error) => error.message,
        ),
      ).to.match(message);
    });
  }
  it('name the file that is missing or belongs to another', async () => {
    await ensurePKI(directory, { nowMs });
    writeFileSync(join(directory, 'admin.key'), readFileSync(join(directory, 'ca.key')));
    expect(
      await ensurePKI(directory, { nowMs }).then(
        () => '',
        (error: Error) => error.message,
      ),
    ).to.match(/admin\.key' is not the key of '.*admin\.crt'/);
    rmSync(join(directory, 'admin.key'));
    expect(
      await ensurePKI(directory, { nowMs }).then(
        () => '',
        (error: Error) => error.message,
      ),
    ).to.match(/admin\.key' is missing/);
  });
  it('go into a kubeconfig', () => {
    const text = kubeconfigText({
      server: 'https://127.0.0.1:6443',
      caCertificate: 'CA',
      client: { cert: 'CERT', key: 'KEY' },
    });
    expect(text)
      .to.include('server: https://127.0.0.1:6443\n')
      .and.include(`certificate-authority-data: ${Buffer.from('CA').toString('base64')}\n`)
      .and.include('current-context: kubechain\n');
  });
});

describe('certificates of another cluster', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-adopt-'));
    for (const name of ['first', 'second']) mkdirSync(join(folder, name));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('do for a directory without any, keys for the owner alone', async () => {
    const first = join(folder, 'first');
    const second = join(folder, 'second');
    const made = await ensurePKI(first, { nowMs: Date.now() });
    adoptCertificateFiles(second, readCertificateFiles(first));
    const adopted = await ensurePKI(second, { nowMs: Date.now() });
    expect([made.made, adopted.made]).to.deep.equal([true, false]);
    expect(adopted.caCertificate).to.equal(made.caCertificate);
    expect(statSync(join(second, 'ca.key')).mode & 0o777).to.equal(0o600);
  });

  it('are not mixed with what is there', async () => {
    const first = join(folder, 'first');
    const second = join(folder, 'second');
    await ensurePKI(first, { nowMs: Date.now() });
    const own = await ensurePKI(second, { nowMs: Date.now() });
    adoptCertificateFiles(second, readCertificateFiles(first));
    expect((await ensurePKI(second, { nowMs: Date.now() })).caCertificate).to.equal(own.caCertificate);
  });
});
