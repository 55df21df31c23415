import { expect } from 'chai';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHTTP2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { clientCertificateOf, type ClientCertificate } from '../../authentication/x509/client-certificate.ts';
import { issuerParts } from '../../certificates/create-certificate.ts';
import { configureLogging } from '../../logging/logger.ts';
import { SecureServing, type SecureServingOptions } from './secure-serving.ts';
import { ServingCertificates, type ServingTLS } from './serving-certificates.ts';
import { namedAuthorities } from '../testing/named-authorities.ts';
import { fixtureAuthority, servingPEM } from '../testing/test-server.ts';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '../../testing/http2-frames.ts';
import { tlsSocketOf } from '../../request/tls-socket.ts';

const ca = fixtureAuthority();

const fixture = (name: string): string =>
  new URL(`../../authentication/x509/fixtures/${name}`, import.meta.url).pathname;
const files = (name: string): { readonly certFile: string; readonly keyFile: string } => ({
  certFile: fixture(name),
  keyFile: fixture(name),
});

const nameOf = (file: string): Buffer => issuerParts(readFileSync(fixture(file), 'utf8')).name;

describe('SecureServing', () => {
  let serving: SecureServing | undefined;
  const seen: { readonly socket: TLSSocket | undefined; readonly certificate: ClientCertificate | undefined }[] = [];
  afterEach(() => {
    serving?.destroy();
    seen.length = 0;
  });

  async function serve(options: Partial<SecureServingOptions> = {}): Promise<number> {
    serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM }, ...options },
      {
        request(request, response) {
          const socket = tlsSocketOf(request);
          seen.push({ socket, certificate: clientCertificateOf(request) });
          response.end('ok');
        },
        upgrade(_request, socket) {
          socket.destroy();
        },
      },
    );
    await serving.listen();
    return serving.port;
  }

  function handshake(port: number, options: object = {}): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca, rejectUnauthorized: false, ...options });
      socket.once('secureConnect', () => {
        resolve(socket);
      });
      socket.once('error', reject);
    });
  }

  it('chooses certificates by SNI, by the names given and by those in the certificate', async () => {
    const port = await serve({
      sniCertificates: [{ ...files('stranger.pem'), names: ['*.example.com'] }, files('server-only.pem')],
    });
    const subjects: string[] = [];
    for (const servername of ['a.example.com', 'a.b.example.com', 'server-only', 'other']) {
      const socket = await handshake(port, { servername });
      subjects.push(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }
    expect(subjects).to.deep.equal(['alice', 'localhost', 'server-only', 'localhost']);
  });

  it('offers HTTP/2 and HTTP/1.1, or the latter alone', async () => {
    const port = await serve();
    const socket = await handshake(port, { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(socket.alpnProtocol).to.equal('h2');
    socket.destroy();
    serving?.destroy();
    const without = await handshake(await serve({ disableHTTP2: true }), { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(without.alpnProtocol).to.equal('http/1.1');
    without.destroy();
  });

  it('refuses TLS versions below the lowest', async () => {
    const port = await serve({ minVersion: 'TLSv1.3' });
    let refusal: unknown;
    await handshake(port, { maxVersion: 'TLSv1.2' }).catch((error: unknown) => {
      refusal = error;
    });
    expect(String(refusal)).to.contain('protocol version');
  });

  it('names the acceptable authorities, and yet shows the intermediates that a client sends', async () => {
    const clientAuthorities = ['ca.pem', 'other-ca.pem'].map((name) => ({
      file: fixture(name),
      flag: 'client-ca-file',
    }));
    const port = await serve({ clientAuthorities, sniCertificates: [files('server-only.pem')] });
    for (const servername of ['localhost', 'server-only'])
      expect(await namedAuthorities(port, servername)).to.deep.equal([nameOf('ca.pem'), nameOf('other-ca.pem')]);
    const pem = readFileSync(fixture('dave-with-intermediate.pem'));
    const session = connectHTTP2(`https://127.0.0.1:${port}`, { ca, cert: pem, key: pem });
    await new Promise((resolve) => {
      session.request({ ':path': '/' }).resume().on('end', resolve);
    });
    const { certificate } = seen[0] ?? {};
    expect(certificate?.leaf.subject).to.equal('CN=dave');
    expect(certificate?.intermediates.map(({ subject }) => subject)).to.deep.equal(['CN=test-intermediate']);
    session.destroy();
  });

  it('names none when there are none', async () => {
    expect(await namedAuthorities(await serve(), 'localhost')).to.deep.equal([]);
  });

  it('shows one connection to all requests of an HTTP/2 client, with its certificate', async () => {
    const port = await serve();
    const pem = readFileSync(fixture('alice.pem'));
    const session = connectHTTP2(`https://127.0.0.1:${port}`, { ca, cert: pem, key: pem });
    for (let i = 0; i < 2; i++)
      await new Promise((resolve) => {
        session.request({ ':path': '/' }).resume().on('end', resolve);
      });
    expect(seen).to.have.length(2);
    expect(seen[0]?.socket).to.equal(seen[1]?.socket).and.not.equal(undefined);
    for (const { certificate } of seen) expect(certificate?.leaf.subject).to.contain('CN=alice');
    session.destroy();
  });

  it('lets connections of HTTP/2 take turns with their requests', async () => {
    const port = await serve();
    const crowded = await handshake(port, { ALPNProtocols: ['h2'] });
    const other = await handshake(port, { ALPNProtocols: ['h2'] });
    const asked = (streams: number): Buffer =>
      Buffer.concat(
        Array.from({ length: streams }, (_, i) =>
          http2Frame(http2FrameTypes.headers, {
            flags: http2Flags.endHeaders | http2Flags.endStream,
            stream: 2 * i + 1,
            payload: hpackHeaders({ ':method': 'GET', ':scheme': 'https', ':authority': 'localhost', ':path': '/' }),
          }),
        ),
      );
    const hello = Buffer.concat([Buffer.from(http2Preface), http2Frame(http2FrameTypes.settings, {})]);
    crowded.write(Buffer.concat([hello, asked(100)]));
    other.write(Buffer.concat([hello, asked(1)]));
    for (let i = 0; i < 200 && seen.length < 101; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    const [first] = seen;
    // Those of one turn go first, then each connection has one by one.
    expect(seen.findIndex(({ socket }) => socket !== first?.socket)).to.be.within(1, 66);
    for (const socket of [crowded, other]) socket.destroy();
  });
});

describe('ServingCertificates', () => {
  it('loads a changed file', async () => {
    configureLogging({
      verbosity: 0,
      write() {
        /* it says that it reloads */
      },
    });
    const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
    const path = join(directory, 'tls.pem');
    copyFileSync(servingPEM, path);
    const certificates = new ServingCertificates({
      main: { certFile: path, keyFile: path },
      sni: [],
      tls: { minVersion: 'TLSv1.3' },
      clientAuthorities: [{ file: fixture('ca.pem'), flag: 'client-ca-file' }],
    });
    const before = certificates.main.cert.toString();
    const changed = new Promise<ServingTLS>((resolve) => {
      certificates.watch(resolve, 20);
    });
    copyFileSync(fixture('server-only.pem'), path);
    // With what is no part of the file: Node forgets what it is not told again.
    expect(await changed).to.include({ minVersion: 'TLSv1.3' });
    expect((await changed).ca).to.have.length(1);
    expect(certificates.main.cert.toString())
      .to.equal(readFileSync(fixture('server-only.pem'), 'utf8'))
      .and.not.equal(before);
    certificates.close();
    rmSync(directory, { recursive: true });
    configureLogging({ verbosity: 0 });
  });
});
